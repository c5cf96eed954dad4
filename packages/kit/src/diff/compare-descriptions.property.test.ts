import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/support/property-testing.js";
import { valueAt, type Api } from "../model/index.js";
import { buildFixtureApi } from "../openapi/testing.js";
import { compareDescriptions } from "./compare-descriptions.js";
import { differenceRules, type DifferenceCode } from "./difference-rules.js";
import { mutateModel, findMutationSites } from "./model-mutations.support.js";
import { richDescription, richKeywords } from "./rich-description.support.js";

describe("differences", () => {
  it("of any model and itself are empty", async () => {
    const api = await buildFixtureApi(richDescription, {}, richKeywords);
    fc.assert(
      fc.property(changesOf(api), (changes) => {
        const model = changed(api, changes);
        expect(compareDescriptions(model, structuredClone(model))).toEqual([]);
      }),
      propertyRuns(20, 300),
    );
  });

  it("in the other direction are the opposite: an addition becomes a removal, a tighter bound a looser one", async () => {
    const api = await buildFixtureApi(richDescription, {}, richKeywords);
    fc.assert(
      fc.property(changesOf(api), (changes) => {
        const model = changed(api, changes);
        expect(counted(compareDescriptions(model, api).map(({ code }) => opposite(code)))).toEqual(
          counted(compareDescriptions(api, model).map(({ code }) => plain(code))),
        );
      }),
      propertyRuns(20, 300),
    );
  });
});

type Change = readonly [path: readonly string[], value: unknown];

/** Some mutations of a model, last position first, so that earlier positions stay valid. */
function changesOf(api: Api): fc.Arbitrary<readonly Change[]> {
  const all = findMutationSites(api).flatMap(({ path, change }) =>
    change.map(([how, value]) => ({ path, how, value })),
  );
  const gone = all.filter(
    ({ how, path }) => how === "is gone" && !uneven.some((pattern) => pattern.test(path.join("/"))),
  );
  return fc
    .uniqueArray(fc.nat({ max: gone.length - 1 }), { minLength: 1, maxLength: 4 })
    .map((picked) => picked.toSorted((a, b) => b - a).flatMap((index) => gone[index] ?? []))
    .map((picked) => picked.map(({ path, value }): Change => [path, value]));
}

/** Mutations whose two directions report different numbers of differences. */
const uneven: readonly RegExp[] = [
  /\/variantOf$/, // maps a variant to its base schema
  /\/ref$/, // without it the schema allows anything, which is reported once
  /\/(discriminator|mapping\/\d+)$/, // an additional value keeps the discriminator, a removed one changes it
  /\/security\/\d+\/\d+$/, // an additional scheme is a requirement, a removed one an alternative
  /(\/responses\/\d+|^sentRequests\/\d+\/requestBody)\/contents\/\d+$/, // a first body is a body, a removed last one a media type
  /^schemas\/\d+$/, // references to a removed schema allow anything
];

function changed(api: Api, changes: readonly Change[]): Api {
  let model = api;
  for (const [path, value] of changes) {
    if (valueAt(model, path.slice(0, -1)) !== undefined) model = mutateModel(model, path, value);
  }
  return model;
}

/** Removes what only one of two opposite codes has, such as `-required` of an addition and the sunset of a removal. */
function plain(code: DifferenceCode): string {
  return code
    .replace(/-(required|overlapping)-added$/, "-added")
    .replace(/^operation-sunset$/, "operation-removed")
    .replace(/-item-allowed$/, "-allowed");
}

function opposite(code: DifferenceCode): string {
  const pairs = [
    ["added", "removed"],
    ["tightened", "loosened"],
    ["narrowed", "widened"],
    ["required", "optional"],
    ["forbidden", "allowed"],
    ["deprecated", "restored"],
    ["more", "less"],
    ["dropped", "required"],
  ].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]);
  const known = plain(code);
  const turned = pairs.flatMap(([from, to]) =>
    known.endsWith(`-${from}`) ? [known.replace(new RegExp(`${from}$`), to)] : [],
  );
  return (
    turned.find((each) =>
      Object.keys(differenceRules).some((rule) => rule === each || plain(rule as DifferenceCode) === each),
    ) ?? known
  );
}

function counted(codes: readonly string[]): readonly string[] {
  return codes.toSorted();
}
