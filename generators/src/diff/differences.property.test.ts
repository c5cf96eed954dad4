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
  it("of a model and itself, whatever it is, are none", async () => {
    const api = await apiOf(rich);
    fc.assert(
      fc.property(changesOf(api), (changes) => {
        const model = changed(api, changes);
        expect(differences(model, structuredClone(model))).toEqual([]);
      }),
      runs(20, 300),
    );
  });

  it("the other way round are the opposite: what was added is removed, what was tighter is looser", async () => {
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

/** A few of the things that can be done to a model; the later ones in it first, so that what is left keeps its place. */
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

/** Where one way says more than the other, or says it elsewhere. */
const uneven: readonly RegExp[] = [
  /\/formOf$/, // by which a form is called as what it is a form of
  /\/ref$/, // what is gone then may be anything, and of anything the same is said once
  /\/(discriminator|mapping\/\d+)$/, // one value more is no other way to tell branches apart, one less is
  /\/security\/\d+\/\d+$/, // credentials more beside others are asked for, fewer are another way in
  /\/replies\/\d+\/contents\/\d+$/, // a first body is told as one, the last that is gone as one kind less
  /^shapes\/\d+$/, // where a shape is gone, what refers to it may be anything
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

/** Required or not, what is added is added. */
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
