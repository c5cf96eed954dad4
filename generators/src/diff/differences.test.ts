import { expect, describe, it } from "vitest";
import { apiOf } from "../model/testing.support.js";
import { behaviourCases } from "./behaviour.cases.support.js";
import { rules } from "./codes.js";
import { differences } from "./differences.js";
import { operationCases } from "./operations.cases.support.js";
import { resourceCases } from "./resources.cases.support.js";
import { securityCases } from "./security.cases.support.js";
import { shapeCases } from "./shapes.cases.support.js";
import { toldOf } from "./testing.support.js";

const cases = [...operationCases, ...shapeCases, ...securityCases, ...behaviourCases, ...resourceCases];

describe("a comparison reports that", () => {
  it.each(cases)("$what", async ({ expected, ...texts }) => {
    expect(await toldOf(texts)).toEqual(expected);
  });

  it("every code occurs in one of these cases", () => {
    const covered = new Set(cases.flatMap(({ expected }) => expected.map((each) => each.split(":")[0])));
    expect(Object.keys(rules).filter((code) => !covered.has(code))).toEqual([]);
  });

  it("a description and itself have no differences", async () => {
    for (const text of new Set(cases.map(({ old }) => old))) {
      const api = await apiOf(text);
      expect(differences(api, structuredClone(api))).toEqual([]);
    }
  });
});
