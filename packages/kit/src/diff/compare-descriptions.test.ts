import { expect, describe, it } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import { behaviourDiffCases } from "./behaviour.cases.support.js";
import { compareDescriptions } from "./compare-descriptions.js";
import { breakingLines, describeRequest, diffTexts } from "./diff-cases.support.js";
import { differenceRules } from "./difference-rules.js";
import { messageDiffCases } from "./messages.cases.support.js";
import { operationDiffCases } from "./operations.cases.support.js";
import { resourceDiffCases } from "./resources.cases.support.js";
import { schemaDiffCases } from "./schemas.cases.support.js";
import { securityDiffCases } from "./security.cases.support.js";
import { sentRequestDiffCases } from "./sent-requests.cases.support.js";

const cases = [
  ...operationDiffCases,
  ...messageDiffCases,
  ...sentRequestDiffCases,
  ...schemaDiffCases,
  ...securityDiffCases,
  ...behaviourDiffCases,
  ...resourceDiffCases,
];

describe("a comparison reports that", () => {
  it.each(cases)("$what", async ({ expected, ...texts }) => {
    expect(await breakingLines(texts)).toEqual(expected);
  });

  it("every code occurs in one of these cases", () => {
    const covered = new Set(cases.flatMap(({ expected }) => expected.map((each) => each.split(":")[0])));
    expect(Object.keys(differenceRules).filter((code) => !covered.has(code))).toEqual([]);
  });

  it("a description and itself have no differences", async () => {
    for (const text of new Set(cases.map(({ old }) => old))) {
      const api = await buildFixtureApi(text);
      expect(compareDescriptions(api, structuredClone(api))).toEqual([]);
    }
  });

  it.each([
    ["type: array, items: {type: string}", "type: array, items: {type: integer}", "An item of the request body"],
    [
      "type: object",
      "type: object, additionalProperties: false",
      "every value of a further field of the request body.",
    ],
    [
      "type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}}",
      "type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: integer}}}}}",
      '"b" of an item of "a" of the request body',
    ],
  ])("in words: %s", async (old, next, words) => {
    const [difference] = await diffTexts(
      { "openapi.yaml": describeRequest(old) },
      { "openapi.yaml": describeRequest(next) },
    );
    expect(difference?.message).toContain(words);
  });
});
