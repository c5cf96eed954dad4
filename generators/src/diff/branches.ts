import type { JsonType, Shape } from "../model/api.js";
import { annotationKeys } from "./annotations.js";
import type { Comparison } from "./comparison.js";
import type { Side } from "./difference.js";
import { flatten } from "./flatten.js";
import { matched, type Matched } from "./matched.js";
import { same } from "./same.js";

/**
 * Matches branches: first by name, then by equal content, then by similarity. Similarity applies to branches without a name, and to those
 * whose name only one description has: their author may have rewritten them.
 */
export function matchBranches(old: readonly Shape[], next: readonly Shape[], comparison: Comparison): Matched<Shape> {
  const named = matched(old, next, (each) =>
    each.ref === undefined ? contentOf(each) : comparison.baseOf("old", comparison.baseOf("new", each.ref)),
  );
  const free = (branches: readonly Shape[], own: Side, other: Side): readonly Branch[] =>
    branches
      .filter(({ ref }) => ref === undefined || !comparison.has(other, ref))
      .map((shape): Branch => ({ shape, whole: flatten(shape, (name) => comparison.peek(own, name)) ?? shape }));
  const partners = closest(free(named.removed, "old", "new"), free(named.added, "new", "old"));
  const gone = new Set(partners.values());
  return {
    both: [...named.both, ...[...partners].map(([after, before]) => [before, after] as const)],
    removed: named.removed.filter((each) => !gone.has(each)),
    added: named.added.filter((each) => !partners.has(each)),
  };
}

/** The content of a schema without its description and its sources. */
export function contentOf(shape: Shape): string {
  return JSON.stringify(shape, (key, value: unknown) =>
    key === "origin" || key === "sources" || key === "description" ? undefined : value,
  );
}

/** A branch as written, and merged with the schemas that it refers to. */
interface Branch {
  readonly shape: Shape;
  readonly whole: Shape;
}

/** Maps new branches to old ones: the most similar pair first, then the next. */
function closest(old: readonly Branch[], next: readonly Branch[]): ReadonlyMap<Shape, Shape> {
  if (old.length * next.length > mostPairs) return inOrder(old, next);
  const pairs = next.flatMap((after, index) =>
    old.flatMap((before, oldIndex) => {
      const alike = likeness(before, after);
      // Equally similar pairs: the first one in either list wins.
      const order = [-(alike ?? 0), index + oldIndex, Math.abs(index - oldIndex)] as const;
      return alike === undefined ? [] : [{ before: before.shape, after: after.shape, order }];
    }),
  );
  const partners = new Map<Shape, Shape>();
  const taken = new Set<Shape>();
  for (const { before, after } of pairs.toSorted((a, b) => compareOrder(a.order, b.order))) {
    if (partners.has(after) || taken.has(before)) continue;
    partners.set(after, before);
    taken.add(before);
  }
  return partners;
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
  return a.map((each, index) => each - (b[index] ?? 0)).find((each) => each !== 0) ?? 0;
}

/** For hundreds of branches on both sides: pairs the first of a kind with the first of that kind. */
function inOrder(old: readonly Branch[], next: readonly Branch[]): ReadonlyMap<Shape, Shape> {
  const kindOf = ({ whole }: Branch): string => JSON.stringify([whole.title, whole.types, ...tagsOf(whole)]);
  return new Map(matched(old, next, kindOf).both.map(([before, after]) => [after.shape, before.shape] as const));
}

const mostPairs = 10_000;

/**
 * How similar two branches are, from 0 to 4. Undefined where they cannot match: their types or discriminating values differ, or they have
 * another title and too little in common.
 */
function likeness(before: Branch, after: Branch): number | undefined {
  const [old, next] = [before.whole, after.whole];
  if (!haveCommon(old.types, next.types)) return undefined;
  const [was, is] = [tagsOf(old), tagsOf(next)];
  const tags = [...was].filter(([name]) => is.has(name));
  if (tags.some(([name, value]) => is.get(name) !== value)) return undefined;
  const names = ({ properties = [] }: Shape): readonly string[] => properties.map(({ name }) => name);
  const alike = share(names(old), names(next)) + shareOfRules(old, next);
  const isCalledSo = old.title !== undefined && old.title === next.title;
  const isRenamed = !isCalledSo && old.title !== undefined && next.title !== undefined;
  const isMoved = (before.shape.ref === undefined) !== (after.shape.ref === undefined);
  return (isRenamed || isMoved) && alike < 1 ? undefined : alike + Number(tags.length > 0) + Number(isCalledSo);
}

/** The discriminating values of a branch by the name of their field; a constant branch has its own under an empty name. */
export function tagsOf(shape: Shape): ReadonlyMap<string, string> {
  const fields = (shape.properties ?? []).map(({ name, shape: field }) => [name, onlyValueOf(field)] as const);
  const all = [["", onlyValueOf(shape)] as const, ...fields];
  return new Map(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function onlyValueOf(shape: Shape): string | undefined {
  const values = shape.const === undefined ? shape.enum : [shape.const];
  return values?.length === 1 ? JSON.stringify(values[0]) : undefined;
}

/** How much of what either says both say, but for words about it. */
function shareOfRules(old: Shape, next: Shape): number {
  const [was, is] = [rulesOf(old), rulesOf(next)];
  const kept = [...was].filter(([key, value]) => is.has(key) && same(value, is.get(key))).length;
  const all = was.size + is.size - kept;
  return all === 0 ? 1 : kept / all;
}

function rulesOf(shape: Shape): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(shape).filter(([key, value]) => value !== undefined && !words.has(key)));
}

const words: ReadonlySet<string> = new Set(annotationKeys);

/** The share of names that both lists have: 0 to 1; 1 for two empty lists. */
function share(old: readonly string[], next: readonly string[]): number {
  const all = new Set([...old, ...next]);
  return all.size === 0 ? 1 : (old.length + next.length - all.size) / all.size;
}

function haveCommon(old: readonly JsonType[], next: readonly JsonType[]): boolean {
  const isNumber = (type: JsonType): boolean => type === "integer" || type === "number";
  if (old.length === 0 || next.length === 0) return true;
  return old.some((type) => next.includes(type)) || (old.some(isNumber) && next.some(isNumber));
}
