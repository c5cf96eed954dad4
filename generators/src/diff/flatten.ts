import type { JsonType, Property, Shape } from "../model/api.js";
import { annotationKeys } from "./annotations.js";
import { won } from "./matched.js";
import { same } from "./same.js";

/** Merges a schema with its `$ref` target and its `allOf` branches; undefined where one schema cannot express the result. */
export function flatten(
  shape: Shape,
  named: (name: string) => Shape | undefined,
  above: readonly string[] = [],
): Shape | undefined {
  const { ref, allOf = [], ...own } = shape;
  let merged: Shape | undefined = own;
  if (ref !== undefined) {
    const target = above.includes(ref) ? undefined : named(ref);
    if (target === undefined) return undefined;
    const whole = flatten(target, named, [...above, ref]);
    merged = whole && merge(merged, whole);
  }
  for (const branch of allOf) {
    const whole = flatten(branch, named, above);
    if (merged === undefined || whole === undefined) return undefined;
    merged = merge(merged, whole);
  }
  return merged;
}

/** Whether the `allOf` branches of both schemas describe the same fields in the same order, so that they can be compared one by one. */
export function isParallel(old: Shape, next: Shape): boolean {
  const [before, after] = [old.allOf ?? [], next.allOf ?? []];
  const names = ({ properties = [] }: Shape): readonly string[] => properties.map(({ name }) => name);
  const isLike = (a: Shape, b: Shape): boolean => {
    const { added, removed } = won(names(a), names(b));
    return a.ref === b.ref && added.length === 0 && removed.length === 0;
  };
  return (
    before.length === after.length &&
    [old, ...before].every((each, index) => isLike(each, [next, ...after][index] ?? each)) &&
    !isMoved([old, ...before].map(requiredOf), [next, ...after].map(requiredOf))
  );
}

/** Whether a name moved from one branch to another. */
function isMoved(old: readonly (readonly string[])[], next: readonly (readonly string[])[]): boolean {
  const kept = new Set(old.flat().filter((name) => next.flat().includes(name)));
  return old.some((names, index) => {
    const { added, removed } = won(names, next[index] ?? []);
    return [...added, ...removed].some((name) => kept.has(name));
  });
}

function requiredOf({ required = [] }: Shape): readonly string[] {
  return required;
}

function merge(a: Shape, b: Shape): Shape | undefined {
  const types = commonTypes(a.types, b.types);
  const isSettled = (key: keyof Shape): boolean => settled.has(key) || a[key] === undefined || same(a[key], b[key]);
  if (types === undefined || !keysOf(b).every(isSettled)) return undefined;
  const merged: { -readonly [Key in keyof Shape]: Shape[Key] } = { ...b, ...a, types };
  for (const key of lowest) if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.max(a[key], b[key]);
  for (const key of highest) if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.min(a[key], b[key]);
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  if (required.length > 0) merged.required = required;
  const properties = together([...(a.properties ?? []), ...(b.properties ?? [])], new Set(required));
  if (properties.length > 0) merged.properties = properties;
  return merged;
}

const lowest = ["minLength", "minItems", "minProperties", "minContains", "minimum", "exclusiveMinimum"] as const;
const highest = ["maxLength", "maxItems", "maxProperties", "maxContains", "maximum", "exclusiveMaximum"] as const;

/** Keys with a merge of their own, and annotations, of which the first wins. */
const settled: ReadonlySet<keyof Shape> = new Set([
  ...(["types", "properties", "required"] as const),
  ...annotationKeys,
  ...lowest,
  ...highest,
]);

/** Merges properties by name: a property of several branches has to match each of their schemas. */
function together(properties: readonly Property[], required: ReadonlySet<string>): readonly Property[] {
  const byName = new Map<string, Property>();
  for (const each of properties) {
    const known = byName.get(each.name);
    const shape: Shape =
      known === undefined || same(known.shape, each.shape)
        ? each.shape
        : { types: [], allOf: [known.shape, each.shape], origin: known.shape.origin };
    byName.set(each.name, { ...each, ...known, shape, required: each.required || required.has(each.name) });
  }
  return [...byName.values()];
}

/** The common types; undefined where there is none. An empty list allows every type. */
function commonTypes(a: readonly JsonType[], b: readonly JsonType[]): readonly JsonType[] | undefined {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const isIn = (type: JsonType, all: readonly JsonType[]): boolean =>
    all.includes(type) || (type === "integer" && all.includes("number"));
  const common = [...new Set([...a.filter((type) => isIn(type, b)), ...b.filter((type) => isIn(type, a))])];
  return common.length === 0 ? undefined : common;
}

function keysOf(shape: Shape): readonly (keyof Shape)[] {
  return Object.keys(shape) as (keyof Shape)[];
}
