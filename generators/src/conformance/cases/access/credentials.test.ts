import { expect, test } from "vitest";
import { flatCases } from "./access-description.support.js";
import { credentialCases } from "./credentials.js";

test("a caller that deletes its own token is locked out", async () => {
  const cases = await flatCases(credentialCases);
  expect(cases.get("tokens/deleteToken/security/of-itself")).toEqual({
    id: "tokens/deleteToken/security/of-itself",
    kind: "security",
    operation: "deleteToken",
    title: "deleteToken deletes the token of its own request",
    requirements: ["token.bad", "token.end"],
    requires: [],
    steps: [
      { make: "Token", as: "token", fresh: true, with: { scopes: "*" } },
      { call: "deleteToken", path: { tokenId: { $get: "token#/id" } }, by: { token: { $get: "token#/secret" } } },
      {
        call: "getMe",
        by: { token: { $get: "token#/secret" } },
        expect: { status: 401, error: { field: null, reasonContains: ["Bad token"] } },
      },
    ],
  });
});
