import { expect, it } from "vitest";
import { describeApi, createTestServer } from "../test-server.support.js";
import { isNotImplemented, NotImplementedError } from "./not-implemented-error.js";

const notImplemented = (): never => {
  throw new NotImplementedError("listHouses");
};

it.each([
  ["now", notImplemented],
  ["later", async () => notImplemented()],
])("the server responds with 501 and logs a warning if a handler throws it %s", async (_, listHouses) => {
  const { ask, log } = createTestServer(describeApi({ lines: { listHouses: "GET /houses" } }), { listHouses });
  const { status, text } = await ask("GET /v1/houses");
  expect([status, text]).toEqual([501, '{"errors":[{"reason":"Not implemented"}]}']);
  expect(log).toMatchObject([{ level: "warn", message: "The handler of listHouses is not implemented." }]);
});

it("isNotImplemented recognizes errors of another copy of the package by their code", () => {
  expect(isNotImplemented(Object.assign(new Error("later"), { code: "plumbline/not-implemented" }))).toBe(true);
  for (const other of [new Error("later"), { code: "plumbline/not-implemented" }, undefined])
    expect(isNotImplemented(other)).toBe(false);
});
