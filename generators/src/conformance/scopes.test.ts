import { expect, test } from "vitest";
import { flatCases } from "./flats.support.js";
import { scopeCases } from "./scopes.js";
import { contextFrom, houses } from "./testing.support.js";

test("a lower level is rejected, whatever else the token may do", async () => {
  const cases = await flatCases(scopeCases);
  expect(cases.get("flats/updateFlat/scopes/flats-read_only")).toEqual({
    id: "flats/updateFlat/scopes/flats-read_only",
    kind: "scopes",
    operation: "updateFlat",
    title: "updateFlat is rejected to a token with flats:read_only, where flats:read_write is wanted",
    requirements: [],
    needs: ["tokens"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "updateFlat",
        path: { flatId: { $get: "flat#/id" } },
        body: { name: "text" },
        by: { scopes: "account:read_write,towns:read_write,flats:read_only" },
        expect: { status: 401, error: { field: null, mentions: ["No scope"] } },
      },
    ],
  });
});

test("a level that includes what is wanted is enough", async () => {
  const cases = await flatCases(scopeCases);
  expect(cases.get("flats/getFlat/scopes/implied-by-read_write")).toEqual({
    id: "flats/getFlat/scopes/implied-by-read_write",
    kind: "scopes",
    operation: "getFlat",
    title: "getFlat is allowed to a token with flats:read_write, which includes what is wanted",
    requirements: ["scope.form"],
    needs: ["tokens"],
    steps: [
      { make: "Flat", as: "flat" },
      { call: "getFlat", path: { flatId: { $get: "flat#/id" } }, by: { scopes: "flats:read_write" } },
    ],
  });
});

test("descriptions without scopes and refusals have no cases that could not be judged", async () => {
  const context = await contextFrom(houses);
  expect(scopeCases(context)).toEqual([]);
});
