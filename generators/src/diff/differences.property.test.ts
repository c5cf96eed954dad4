import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Api } from "../model/api.js";
import { apiOf } from "../model/testing.support.js";
import { runs } from "../testing.support.js";
import { rules, type Code } from "./codes.js";
import { differences } from "./differences.js";
import { rich } from "./rich.support.js";
import { changedAt, spotsOf } from "./spots.support.js";

describe("differences", () => {
  it("of any model and itself are empty", async () => {
    const api = await apiOf(rich);
    fc.assert(
      fc.property(changesOf(api), (changes) => {
        const model = changed(api, changes);
        expect(differences(model, structuredClone(model))).toEqual([]);
      }),
      runs(20, 300),
    );
  });

  it("in the other direction are the opposite: an addition becomes a removal, a tighter bound a looser one", async () => {
    const api = await apiOf(rich);
    fc.assert(
      fc.property(changesOf(api), (changes) => {
        const model = changed(api, changes);
        expect(counted(differences(model, api).map(({ code }) => opposite(code)))).toEqual(
          counted(differences(api, model).map(({ code }) => plain(code))),
        );
      }),
      runs(20, 300),
    );
  });
});

type Change = readonly [path: readonly string[], value: unknown];

/** Some mutations of a model, last position first, so that earlier positions stay valid. */
function changesOf(api: Api): fc.Arbitrary<readonly Change[]> {
  const all = spotsOf(api).flatMap(({ path, change }) => change.map(([how, value]) => ({ path, how, value })));
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
  /\/formOf$/, // maps a variant to its base schema
  /\/ref$/, // without it the schema allows anything, which is reported once
  /\/(discriminator|mapping\/\d+)$/, // an additional value keeps the discriminator, a removed one changes it
  /\/security\/\d+\/\d+$/, // an additional scheme is a requirement, a removed one an alternative
  /\/replies\/\d+\/contents\/\d+$/, // a first body is a body, a removed last one a media type
  /^shapes\/\d+$/, // references to a removed schema allow anything
];

function changed(api: Api, changes: readonly Change[]): Api {
  let model = api;
  for (const [path, value] of changes) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], model);
    if (parent !== undefined) model = changedAt(model, path, value);
  }
  return model;
}

/** Removes `-required` from the codes of additions. */
function plain(code: Code): string {
  return code.replace(/-required-added$/, "-added");
}

function opposite(code: Code): string {
  const pairs = [
    ["added", "removed"],
    ["tightened", "loosened"],
    ["narrowed", "widened"],
    ["required", "optional"],
    ["refused", "allowed"],
    ["deprecated", "restored"],
    ["more", "less"],
    ["dropped", "required"],
  ].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]);
  const known = plain(code);
  const turned = pairs.flatMap(([from, to]) =>
    known.endsWith(`-${from}`) ? [known.replace(new RegExp(`${from}$`), to)] : [],
  );
  return (
    turned.find((each) => Object.keys(rules).some((rule) => rule === each || plain(rule as Code) === each)) ?? known
  );
}

function counted(codes: readonly string[]): readonly string[] {
  return codes.toSorted();
}
