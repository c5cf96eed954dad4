import type { Shape } from "../model/api.js";
import { annotationKeys } from "./annotations.js";
import { contentOf, matchBranches, tagsOf } from "./branches.js";
import { report, type At } from "./comparison.js";
import { tellRule } from "./rules.js";
import { same } from "./same.js";
import { shapes } from "./shapes.js";
import { short } from "./short.js";

/** Compares the branches of `oneOf` and `anyOf`, which match by name or content. */
export function unions(old: Shape, next: Shape, at: At): void {
  const [before, after] = [unionOf(old), unionOf(next)];
  if ((before === undefined) !== (after === undefined) && !isOneOfItsBranches(old, next, at)) {
    const shown = (branches: readonly Shape[] | undefined): object =>
      branches === undefined ? {} : { branches: branches.map(branchName) };
    tellRule({ says: "one of the branches", before: shown(before), after: shown(after), here: next.origin }, at);
    return;
  }
  if (before !== undefined && after !== undefined && (old.oneOf === undefined) !== (next.oneOf === undefined)) {
    const rule = ({ oneOf }: Shape): object => (oneOf === undefined ? {} : { branches: "and no other" });
    tellRule({ says: "one of the branches", before: rule(old), after: rule(next), here: next.origin }, at);
  }
  const { both, removed, added } = matchBranches(before ?? [old], after ?? [next], at.comparison);
  for (const [one, other] of both) shapes(one, other, at);
  for (const branch of added)
    report(at, `${at.direction}-branch-added`, { new: branchName(branch), here: branch.origin });
  for (const branch of removed)
    report(at, `${at.direction}-branch-removed`, { old: branchName(branch), gone: branch.origin });
}

/** Whether one of the two is a union without other rules, and the other may have been one of its branches. */
export function isOneOfItsBranches(old: Shape, next: Shape, { comparison }: At): boolean {
  const [before, after] = [unionOf(old), unionOf(next)];
  if ((before === undefined) === (after === undefined)) return false;
  const [union, branches, single] = before === undefined ? [next, after ?? [], old] : [old, before, next];
  const isBare = Object.keys(union).every((key) => around.has(key));
  const baseOf = (name: string) => comparison.baseOf("old", comparison.baseOf("new", name));
  const isAlike = (branch: Shape): boolean =>
    single.ref === undefined || branch.ref === undefined
      ? sayingSame(single, branch) || (isTyped(single) && same(single.types, branch.types) && single.ref === branch.ref)
      : baseOf(single.ref) === baseOf(branch.ref);
  return isBare && branches.some(isAlike);
}

/** Compares discriminators. */
export function discriminators(old: Shape, next: Shape, at: At): void {
  const [before, after] = [old.discriminator, next.discriminator];
  const { comparison } = at;
  const renamed = (name: string): string => comparison.renamed.get(name) ?? comparison.baseOf("old", name);
  const hasBranch = (side: "old" | "new", shape: Shape, name: string): boolean =>
    unionOf(shape)?.some(({ ref }) => ref !== undefined && [comparison.baseOf(side, ref), ref].includes(name)) === true;
  // A removed branch is a difference of its own; its value must not select another branch.
  const isGone = (name: string): boolean => hasBranch("old", old, name) && !hasBranch("new", next, renamed(name));
  const kept = before?.mapping.every(({ value, shape }) => {
    const now = after?.mapping.find((each) => each.value === value);
    if (now === undefined) return after !== undefined && isGone(shape);
    return [comparison.baseOf("new", now.shape), now.shape].includes(renamed(shape));
  });
  if (before?.property !== after?.property || kept !== true) {
    const shown = (each: Shape["discriminator"]) =>
      each === undefined
        ? "nothing"
        : `"${each.property}" (${each.mapping.map(({ value, shape }) => `${value}: ${shape}`).join(", ")})`;
    report(at, `${at.direction}-discriminator-changed`, { old: shown(before), new: shown(after), here: next.origin });
    return;
  }
  for (const { value } of after?.mapping ?? [])
    if (!before?.mapping.some((each) => each.value === value))
      report(at, "discriminator-value-added", { new: `"${value}"`, here: next.origin });
}

/** The keys that a union may have beside its branches without restricting them. */
const around: ReadonlySet<string> = new Set(["anyOf", "oneOf", "discriminator", "types", ...annotationKeys]);

function unionOf({ oneOf, anyOf }: Shape): readonly Shape[] | undefined {
  return oneOf ?? anyOf;
}

function isTyped({ types }: Shape): boolean {
  return types.length > 0;
}

function sayingSame(a: Shape, b: Shape): boolean {
  return contentOf(a) === contentOf(b);
}

/** Names a branch: its name or title, else its discriminating value and types. */
function branchName(branch: Shape): string {
  if (branch.ref !== undefined) return branch.ref;
  const types = branch.types.join(" or ");
  const [[field, value] = ["", ""]] = tagsOf(branch);
  if (branch.title !== undefined || value === "") return branch.title ?? (types || short(branch));
  return field === "" ? value : `${types || "object"} with ${field} ${value}`;
}
