import type { JsonType, Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import type { DescriptionComparison } from "../description-comparison.js";
import type { DescriptionSide } from "../difference.js";
import { matchLists, type MatchedLists } from "../match-lists.js";
import { annotationKeys } from "./compare-annotations.js";
import { flattenSchema } from "./flatten-schema.js";

/**
 * Matches branches: first by name, then by equal content, then by similarity. Similarity applies to branches without a name, and to those
 * whose name only one description has: their author may have rewritten them.
 */
export function matchBranches(
  old: readonly Schema[],
  next: readonly Schema[],
  comparison: DescriptionComparison,
): MatchedLists<Schema> {
  const byName = matchLists(old, next, (each) =>
    each.ref === undefined ? serializeContent(each) : comparison.baseOf("old", comparison.baseOf("new", each.ref)),
  );
  const free = (branches: readonly Schema[], side: DescriptionSide, other: DescriptionSide): readonly Branch[] =>
    branches
      .filter(({ ref }) => ref === undefined || !comparison.has(other, ref))
      .map((schema): Branch => ({
        schema,
        flattened: flattenSchema(schema, (name) => comparison.peek(side, name)) ?? schema,
      }));
  const partners = pairClosest(free(byName.removed, "old", "new"), free(byName.added, "new", "old"));
  const gone = new Set(partners.values());
  return {
    both: [...byName.both, ...[...partners].map(([after, before]) => [before, after] as const)],
    removed: byName.removed.filter((each) => !gone.has(each)),
    added: byName.added.filter((each) => !partners.has(each)),
  };
}

/** The content of a schema without its description and its sources. */
export function serializeContent(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === "origin" || key === "sources" || key === "description" ? undefined : value,
  );
}

/** A branch as written, and merged with the schemas that it refers to. */
interface Branch {
  readonly schema: Schema;
  readonly flattened: Schema;
}

/** Maps new branches to old ones: the most similar pair first, then the next. */
function pairClosest(old: readonly Branch[], next: readonly Branch[]): ReadonlyMap<Schema, Schema> {
  if (old.length * next.length > maxPairs) return pairInOrder(old, next);
  const pairs = next.flatMap((after, index) =>
    old.flatMap((before, oldIndex) => {
      const alike = similarity(before, after);
      // Equally similar pairs: the first one in either list wins.
      const order = [-(alike ?? 0), index + oldIndex, Math.abs(index - oldIndex)] as const;
      return alike === undefined ? [] : [{ before: before.schema, after: after.schema, order }];
    }),
  );
  const partners = new Map<Schema, Schema>();
  const matched = new Set<Schema>();
  for (const { before, after } of pairs.toSorted((a, b) => compareOrder(a.order, b.order))) {
    if (partners.has(after) || matched.has(before)) continue;
    partners.set(after, before);
    matched.add(before);
  }
  return partners;
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
  return a.map((each, index) => each - (b[index] ?? 0)).find((each) => each !== 0) ?? 0;
}

/** For hundreds of branches on both sides: pairs the first of a kind with the first of that kind. */
function pairInOrder(old: readonly Branch[], next: readonly Branch[]): ReadonlyMap<Schema, Schema> {
  const kindOf = ({ flattened }: Branch): string =>
    JSON.stringify([flattened.title, flattened.types, ...constantsOf(flattened)]);
  return new Map(matchLists(old, next, kindOf).both.map(([before, after]) => [after.schema, before.schema] as const));
}

const maxPairs = 10_000;

/**
 * How similar two branches are, from 0 to 4. Undefined where they cannot match: their types or discriminating values differ, or they have
 * another title and too little in common.
 */
function similarity(before: Branch, after: Branch): number | undefined {
  const [old, next] = [before.flattened, after.flattened];
  if (!haveCommonType(old.types, next.types)) return undefined;
  const [was, is] = [constantsOf(old), constantsOf(next)];
  const tags = [...was].filter(([name]) => is.has(name));
  if (tags.some(([name, value]) => is.get(name) !== value)) return undefined;
  const names = ({ properties = [] }: Schema): readonly string[] => properties.map(({ name }) => name);
  const alike = overlapRatio(names(old), names(next)) + sharedRuleRatio(old, next);
  const isCalledSo = old.title !== undefined && old.title === next.title;
  const isRenamed = !isCalledSo && old.title !== undefined && next.title !== undefined;
  const isMoved = (before.schema.ref === undefined) !== (after.schema.ref === undefined);
  return (isRenamed || isMoved) && alike < 1 ? undefined : alike + Number(tags.length > 0) + Number(isCalledSo);
}

/** The discriminating values of a branch by the name of their field; a constant branch has its own under an empty name. */
export function constantsOf(schema: Schema): ReadonlyMap<string, string> {
  const fields = (schema.properties ?? []).map(({ name, schema: field }) => [name, singleValueOf(field)] as const);
  const all = [["", singleValueOf(schema)] as const, ...fields];
  return new Map(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function singleValueOf(schema: Schema): string | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  return values?.length === 1 ? JSON.stringify(values[0]) : undefined;
}

/** How much of what either says both say, but for words about it. */
function sharedRuleRatio(old: Schema, next: Schema): number {
  const [was, is] = [rulesOf(old), rulesOf(next)];
  const common = [...was].filter(([key, value]) => is.has(key) && isDeepEqual(value, is.get(key))).length;
  const all = was.size + is.size - common;
  return all === 0 ? 1 : common / all;
}

function rulesOf(schema: Schema): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(schema).filter(([key, value]) => value !== undefined && !annotationKeySet.has(key)));
}

const annotationKeySet: ReadonlySet<string> = new Set(annotationKeys);

/** The share of names that both lists have: 0 to 1; 1 for two empty lists. */
function overlapRatio(old: readonly string[], next: readonly string[]): number {
  const all = new Set([...old, ...next]);
  return all.size === 0 ? 1 : (old.length + next.length - all.size) / all.size;
}

function haveCommonType(old: readonly JsonType[], next: readonly JsonType[]): boolean {
  const isNumber = (type: JsonType): boolean => type === "integer" || type === "number";
  if (old.length === 0 || next.length === 0) return true;
  return old.some((type) => next.includes(type)) || (old.some(isNumber) && next.some(isNumber));
}
