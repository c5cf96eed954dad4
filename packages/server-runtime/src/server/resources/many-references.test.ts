import { expect, it } from "vitest";
import { describeApi, createTestServer, storesOf, type TestServer } from "../test-server.support.js";

function tags(options: { readonly referenceLimit?: number } = {}): TestServer & { readonly loads: string[] } {
  const houses = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, owner: { account: "a" } }));
  const { stores, loads } = storesOf({ House: houses });
  const named = { name: "houses", to: "House", by: "id", pointer: ["houses", "*"] };
  const api = describeApi({
    lines: { addTag: "POST /tags" },
    resources: { House: { owner: ["account"] } },
    operationResources: { addTag: { path: [], body: [named] } },
  });
  return { ...createTestServer(api, {}, { resources: stores, ...options }), loads };
}

const ids = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

it("looks up as many references as a field may have, at once", async () => {
  const { ask, loads } = tags();
  expect((await ask("POST /v1/tags", { body: { houses: ids(5000) } })).status).toBe(200);
  expect(loads).toHaveLength(1);
});

it.each([5001, 120_000])("looks up none of %i", async (count) => {
  const { ask, loads, calls } = tags();
  const { status, text } = await ask("POST /v1/tags", { body: { houses: ids(count) } });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { errors: [{ field: "houses", reason: "must have at most 5000 items" }] },
  ]);
  expect([loads, calls]).toEqual([[], []]);
});

it("has another limit with an option", async () => {
  const { ask, loads } = tags({ referenceLimit: 2 });
  expect((await ask("POST /v1/tags", { body: { houses: ids(2) } })).status).toBe(200);
  expect((await ask("POST /v1/tags", { body: { houses: ids(3) } })).status).toBe(400);
  expect(loads).toHaveLength(1);
});
