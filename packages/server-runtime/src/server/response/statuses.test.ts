import { expect, expectTypeOf, test } from "vitest";
import {
  documentedStatusKey,
  type ErrorStatus,
  type UndocumentedErrorStatus,
  type UndocumentedStatus,
  type StatusOf,
} from "./statuses.js";

test.each([
  [200, ["200", "default"], "200"],
  [201, ["200", "2XX", "default"], "2XX"],
  [404, ["200", "4XX", "default"], "4XX"],
  [400, ["200", "default"], "default"],
  [399, ["200", "default"], undefined], // if a success is documented, `default` is about errors
  [302, ["301", "default"], undefined],
  [204, ["2XX", "default"], "2XX"],
  [399, ["404", "default"], "default"],
  [201, ["200"], undefined],
  [500, [], undefined],
  [200, ["constructor"], undefined],
])("%i among %j is %s", (status, described, key) => {
  const table = Object.fromEntries(described.map((each) => [each, {}]));
  expect(documentedStatusKey(status, table)).toBe(key);
});

test("types of statuses exclude documented ones", () => {
  expectTypeOf<UndocumentedErrorStatus<Exclude<ErrorStatus, 404 | 511>>>().toEqualTypeOf<404 | 511>();
  expectTypeOf<UndocumentedStatus<StatusOf<"1XX" | "2XX" | "4XX" | "5XX">>>().toEqualTypeOf<StatusOf<"3XX">>();
  expectTypeOf<200>().not.toExtend<ErrorStatus>();
});
