import { expect, test } from "vitest";
import { flatCases } from "./access-description.support.js";
import { visibilityCases } from "./visibility.js";

test("a secret is shown in full when it is created", async () => {
  const cases = await flatCases(visibilityCases);
  expect(cases.get("tokens/createToken/visible/secret")).toEqual({
    id: "tokens/createToken/visible/secret",
    kind: "visible",
    operation: "createToken",
    title: "createToken shows secret in full",
    requirements: ["token.once"],
    requires: [],
    steps: [
      {
        call: "createToken",
        body: {},
        as: "answer",
        expect: {
          body: { type: "object", properties: { secret: { type: "string", minLength: 5 } }, required: ["secret"] },
        },
      },
    ],
  });
});

test("and truncated later", async () => {
  const cases = await flatCases(visibilityCases);
  expect(cases.get("tokens/getToken/visible/secret")).toEqual({
    id: "tokens/getToken/visible/secret",
    kind: "visible",
    operation: "getToken",
    title: "getToken shows secret truncated",
    requirements: ["token.once"],
    requires: [],
    steps: [
      { make: "Token", as: "token" },
      {
        call: "getToken",
        path: { tokenId: { $get: "token#/id" } },
        as: "answer",
        expect: {
          body: {
            type: "object",
            properties: { secret: { type: "string", minLength: 4, maxLength: 4 } },
            required: ["secret"],
          },
        },
      },
      {
        check: { $get: "token#/secret" },
        matches: { type: "string", pattern: { $text: ["^", { $get: "answer#/body/secret" }] } },
        message: "The value is not a prefix of the one in the response to the creation.",
      },
    ],
  });
});

test("a secret in a request is not in the response", async () => {
  const cases = await flatCases(visibilityCases);
  expect(cases.get("flats/createFlat/visible/pin/not-returned")).toMatchObject({
    requirements: ["flat.pin"],
    steps: [
      { call: "createFlat", body: { $merge: [{ name: "text" }, { pin: "nine-of-hearts" }] }, as: "answer" },
      {
        check: { $json: { $get: "answer#/body" } },
        matches: { not: { pattern: { $get: "answer#/request/body/pin" } } },
      },
    ],
  });
});
