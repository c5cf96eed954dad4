import { expect, test } from "vitest";
import { flatCases } from "./access-description.support.js";
import { scopeCeilingCases } from "./scope-ceilings.js";

test("a created token is tested with an operation that it allows, and one that it does not", async () => {
  const cases = await flatCases(scopeCeilingCases);
  expect(cases.get("tokens/createToken/ceiling/and-flats-read_only/own-and-lower")).toEqual({
    id: "tokens/createToken/ceiling/and-flats-read_only/own-and-lower",
    kind: "scopes",
    operation: "createToken",
    title:
      "A token with account:read_write,flats:read_only creates one with account:read_write,flats:read_only, which has exactly these scopes",
    requirements: ["token.ceiling"],
    requires: ["tokens"],
    steps: [
      {
        call: "createToken",
        body: { $merge: [{}, { scopes: "account:read_write,flats:read_only" }] },
        by: { scopes: "account:read_write,flats:read_only" },
        as: "made",
        expect: {
          body: {
            type: "object",
            properties: { scopes: { const: "account:read_write,flats:read_only" } },
            required: ["scopes"],
          },
        },
      },
      { call: "listFlats", by: { token: { $get: "made#/body/secret" } } },
      {
        call: "listStreets",
        by: { token: { $get: "made#/body/secret" } },
        expect: { status: 401, error: { field: null, reasonContains: ["No scope"] } },
      },
    ],
  });
});

test("a token with more scopes than the caller's is rejected", async () => {
  const cases = await flatCases(scopeCeilingCases);
  expect(cases.get("tokens/createToken/ceiling/and-flats-read_only/higher")).toEqual({
    id: "tokens/createToken/ceiling/and-flats-read_only/higher",
    kind: "scopes",
    operation: "createToken",
    title: "A token with account:read_write,flats:read_only cannot create one with flats:read_write",
    requirements: ["token.ceiling"],
    requires: ["tokens"],
    steps: [
      {
        call: "createToken",
        body: { $merge: [{}, { scopes: "flats:read_write" }] },
        by: { scopes: "account:read_write,flats:read_only" },
        expect: { status: 400, error: { field: "scopes" } },
      },
    ],
  });
});
