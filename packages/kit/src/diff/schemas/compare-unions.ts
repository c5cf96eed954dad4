import type { Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import type { MatchedLists } from "../match-lists.js";
import { shorten } from "../shorten.js";
import { annotationKeys } from "./compare-annotations.js";
import { reportRule } from "./compare-conditions.js";
import { compareSchemas } from "./compare-schemas.js";
import { serializeContent, matchBranches, constantsOf } from "./match-branches.js";
import { isOverlapping } from "./overlapping-branches.js";

/** Compares the branches of `oneOf` and `anyOf`, which match by name or content. */
export function compareUnions(old: Schema, next: Schema, at: ComparisonContext): void {
  const [before, after] = [unionOf(old), unionOf(next)];
  if ((before === undefined) !== (after === undefined) && !isBranchOfOther(old, next, at)) {
    const rule = (branches: readonly Schema[] | undefined): object =>
      branches === undefined ? {} : { branches: branches.map(branchName) };
    reportRule({ says: "one of the branches", before: rule(before), after: rule(after), here: next.origin }, at);
    return;
  }
  if (before !== undefined && after !== undefined && (old.oneOf === undefined) !== (next.oneOf === undefined)) {
    const rule = ({ oneOf }: Schema): object => (oneOf === undefined ? {} : { branches: "and no other" });
    reportRule({ says: "one of the branches", before: rule(old), after: rule(next), here: next.origin }, at);
  }
  const [oldBranches, newBranches] = [untaggedBranches(old), untaggedBranches(next)];
  const { both, removed, added } = matchBranches(oldBranches ?? [old], newBranches ?? [next], at.comparison);
  for (const [one, other] of both) compareSchemas(one, other, at);
  for (const branch of added) {
    const overlapping = at.direction === "request" ? overlappingBranch(branch, next, { both, at }) : undefined;
    const facts = { new: branchName(branch), newOrigin: branch.origin };
    if (overlapping === undefined) reportDifference(at, `${at.direction}-branch-added`, facts);
    else reportDifference(at, "request-branch-overlapping-added", { ...facts, old: branchName(overlapping) });
  }
  for (const branch of removed)
    reportDifference(at, `${at.direction}-branch-removed`, { old: branchName(branch), oldOrigin: branch.origin });
}

/** The earlier branch whose values an additional branch of `oneOf` accepts, too; a discriminator selects one of them. */
function overlappingBranch(
  branch: Schema,
  { oneOf, discriminator }: Schema,
  { both, at }: { readonly both: MatchedLists<Schema>["both"]; readonly at: ComparisonContext },
): Schema | undefined {
  if (oneOf === undefined || discriminator !== undefined) return undefined;
  const earlier = both.map(([, after]) => after);
  return earlier.find((each) => isOverlapping(branch, each, (name) => at.comparison.peek("new", name)));
}

/** Whether one of the two is a union without other rules, and the other may have been one of its branches. */
export function isBranchOfOther(old: Schema, next: Schema, { comparison }: ComparisonContext): boolean {
  const [before, after] = [unionOf(old), unionOf(next)];
  if ((before === undefined) === (after === undefined)) return false;
  const [union, branches, single] = before === undefined ? [next, after ?? [], old] : [old, before, next];
  const isBare = Object.keys(union).every((key) => unionKeys.has(key));
  const baseOf = (name: string) => comparison.baseOf("old", comparison.baseOf("new", name));
  const isAlike = (branch: Schema): boolean =>
    single.ref === undefined || branch.ref === undefined
      ? haveSameContent(single, branch) ||
        (isTyped(single) && isDeepEqual(single.types, branch.types) && single.ref === branch.ref)
      : baseOf(single.ref) === baseOf(branch.ref);
  return isBare && branches.some(isAlike);
}

/** Compares discriminators. */
export function compareDiscriminators(old: Schema, next: Schema, at: ComparisonContext): void {
  const [before, after] = [old.discriminator, next.discriminator];
  const { comparison } = at;
  const renamed = (name: string): string => comparison.renamedSchemas.get(name) ?? comparison.baseOf("old", name);
  const hasBranch = (side: "old" | "new", schema: Schema, name: string): boolean =>
    unionOf(schema)?.some(({ ref }) => ref !== undefined && [comparison.baseOf(side, ref), ref].includes(name)) ===
    true;
  // A removed branch is a difference of its own; its value must not select another branch.
  const isGone = (name: string): boolean => hasBranch("old", old, name) && !hasBranch("new", next, renamed(name));
  const isSameMapping = before?.mapping.every(({ value, schema }) => {
    const now = after?.mapping.find((each) => each.value === value);
    if (now === undefined) return after !== undefined && isGone(schema);
    return [comparison.baseOf("new", now.schema), now.schema].includes(renamed(schema));
  });
  if (before?.propertyName !== after?.propertyName || isSameMapping !== true) {
    const describe = (each: Schema["discriminator"]) =>
      each === undefined
        ? "nothing"
        : `"${each.propertyName}" (${each.mapping.map(({ value, schema }) => `${value}: ${schema}`).join(", ")})`;
    reportDifference(at, `${at.direction}-discriminator-changed`, {
      old: describe(before),
      new: describe(after),
      newOrigin: next.origin,
    });
    return;
  }
  for (const { value } of after?.mapping ?? [])
    if (!before?.mapping.some((each) => each.value === value))
      reportDifference(at, "discriminator-value-added", { new: `"${value}"`, newOrigin: next.origin });
}

/** The keys that a union may have beside its branches without restricting them. */
const unionKeys: ReadonlySet<string> = new Set(["anyOf", "oneOf", "discriminator", "types", ...annotationKeys]);

function unionOf({ oneOf, anyOf }: Schema): readonly Schema[] | undefined {
  return oneOf ?? anyOf;
}

/** The branches without the values that the discriminator requires of them, whose changes are changes of the discriminator. */
function untaggedBranches(union: Schema): readonly Schema[] | undefined {
  const tag = union.discriminator?.propertyName;
  return unionOf(union)?.map((branch) => {
    const [property, ...others] = branch.properties ?? [];
    const isTagged = others.length === 0 && property?.name === tag && property?.schema.origin === branch.origin;
    if (branch.ref === undefined || !isTagged) return branch;
    const { properties: _, required: __, ...untagged } = branch;
    return untagged;
  });
}

function isTyped({ types }: Schema): boolean {
  return types.length > 0;
}

function haveSameContent(a: Schema, b: Schema): boolean {
  return serializeContent(a) === serializeContent(b);
}

/** Names a branch: its name or title, else its discriminating value and types. */
function branchName(branch: Schema): string {
  if (branch.ref !== undefined) return branch.ref;
  const types = branch.types.join(" or ");
  const [[field, value] = ["", ""]] = constantsOf(branch);
  if (branch.title !== undefined || value === "") return branch.title ?? (types || shorten(branch));
  return field === "" ? value : `${types || "object"} with ${field} ${value}`;
}
