import type { FilterExpression } from "@cloud-compute/server";
import { expect, test } from "vitest";
import { start } from "../../testing.support.js";
import { assertFilterSize } from "./filter-size.js";

const all = (count: number, each: FilterExpression): FilterExpression => ({
  "+and": Array.from({ length: count }, () => each),
});

const tooLarge = (most: string): unknown =>
  expect.objectContaining({ detail: { field: "X-Filter", reason: `Must have at most ${most}` } });

test("accepts a filter with the maximum number of conditions, and rejects a larger one", async () => {
  const { service, token } = await start();
  const ask = async (filter: FilterExpression): Promise<readonly [number, unknown]> => {
    const headers = { authorization: `Bearer ${token}`, "x-filter": JSON.stringify(filter) };
    const response = await fetch(`${service.url}/domains`, { headers });
    return [response.status, await response.json()];
  };
  expect(await ask(all(20, { domain: { "+contains": "a" } }))).toMatchObject([200, { results: 0 }]);
  const errors = [{ field: "X-Filter", reason: "Must have at most 20 conditions with +contains" }];
  expect(await ask(all(21, { domain: { "+contains": "a" } }))).toEqual([400, { errors }]);
});

test.each([
  ["values", all(251, { domain: "a" })],
  ["objects without any", { "+or": Array.from({ length: 1000 }, () => ({})) }],
  ["comparisons", all(126, { domain: { "+gt": "a", "+lt": "b" } })],
])("counts %s", (_, filter) => {
  expect(() => assertFilterSize(filter)).toThrow(tooLarge("250 conditions"));
});

test("counts nested conditions", () => {
  expect(() => assertFilterSize(all(3, all(7, { domain: { "+contains": "a" } })))).toThrow(
    tooLarge("20 conditions with +contains"),
  );
  expect(() => assertFilterSize(all(125, { domain: { "+gt": "a", "+lt": "b" } }))).not.toThrow();
});
