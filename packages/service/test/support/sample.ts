import type { Case, Suite } from "@plumbline/conformance-runtime";
import { randomFrom } from "./random.js";

/**
 * A small part of a suite: one case of each group, and for each operation the cases with valid requests. The same seed chooses the same cases, in
 * the order of the suite.
 */
export function sampleCases(
  { cases }: Suite,
  { seed, groupOf }: { readonly seed: number; readonly groupOf: (each: Case) => string },
): readonly Case[] {
  const random = randomFrom(seed);
  const groups = new Map<string, Case[]>();
  for (const each of cases) {
    const group = groups.get(groupOf(each));
    if (group === undefined) groups.set(groupOf(each), [each]);
    else group.push(each);
  }
  const sample = new Set([...groups.values()].map((group) => random.one(group)));
  return cases.filter((each) => each.kind === "accepts" || sample.has(each));
}
