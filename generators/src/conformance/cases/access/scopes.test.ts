import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../../context/fixture-context.support.js";
import { flatCases } from "./access-description.support.js";
import { scopeCases } from "./scopes.js";

test("a lower level is rejected, with any other scopes", async () => {
  const cases = await flatCases(scopeCases);
  expect(cases.get("flats/updateFlat/scopes/flats-read_only")).toEqual({
    id: "flats/updateFlat/scopes/flats-read_only",
    kind: "scopes",
    operation: "updateFlat",
    title: "updateFlat rejects a token with flats:read_only, where flats:read_write is required",
    requirements: [],
    requires: ["tokens"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "updateFlat",
        path: { flatId: { $get: "flat#/id" } },
        body: { name: "text" },
        by: { scopes: "account:read_write,towns:read_write,flats:read_only", lacking: ["*", "flats:read_write"] },
        expect: { status: 401, error: { field: null, reasonContains: ["No scope"] } },
      },
    ],
  });
});

test("a level that includes the required one is enough", async () => {
  const cases = await flatCases(scopeCases);
  expect(cases.get("flats/getFlat/scopes/implied-by-read_write")).toEqual({
    id: "flats/getFlat/scopes/implied-by-read_write",
    kind: "scopes",
    operation: "getFlat",
    title: "getFlat is allowed to a token with flats:read_write, which includes the required level",
    requirements: ["scope.form"],
    requires: ["tokens"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        by: { scopes: "flats:read_write", holding: ["flats:read_write"], lacking: ["*", "flats:read_only"] },
      },
    ],
  });
});

test("descriptions without scopes and errors have the cases that security documents", async () => {
  const context = await contextFromText(housesDescription);
  const kinds = new Set(scopeCases(context).map(({ id }) => id.split("/").slice(2).join("/")));
  expect([...kinds]).toEqual(["security/anonymous", "security/unknown-token"]);
});
