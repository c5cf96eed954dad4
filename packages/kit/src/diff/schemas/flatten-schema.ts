import { bounds, type JsonType, type Property, type Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { compareNames } from "../match-lists.js";
import { annotationKeys } from "./compare-annotations.js";

/** Merges a schema with its `$ref` target and its `allOf` branches; undefined where one schema cannot express the result. */
export function flattenSchema(
  schema: Schema,
  resolve: (name: string) => Schema | undefined,
  above: readonly string[] = [],
): Schema | undefined {
  const { ref, allOf = [], ...own } = schema;
  let merged: Schema | undefined = own;
  if (ref !== undefined) {
    const target = above.includes(ref) ? undefined : resolve(ref);
    if (target === undefined) return undefined;
    const whole = flattenSchema(target, resolve, [...above, ref]);
    merged = whole && mergeSchemas(merged, whole);
  }
  for (const branch of allOf) {
    const whole = flattenSchema(branch, resolve, above);
    if (merged === undefined || whole === undefined) return undefined;
    merged = mergeSchemas(merged, whole);
  }
  return merged;
}

/** Whether the `allOf` branches of both schemas describe the same fields in the same order, so that they can be compared one by one. */
export function haveParallelBranches(old: Schema, next: Schema): boolean {
  const [before, after] = [old.allOf ?? [], next.allOf ?? []];
  const names = ({ properties = [] }: Schema): readonly string[] => properties.map(({ name }) => name);
  const isLike = (a: Schema, b: Schema): boolean => {
    const { added, removed } = compareNames(names(a), names(b));
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
  const common = new Set(old.flat().filter((name) => next.flat().includes(name)));
  return old.some((names, index) => {
    const { added, removed } = compareNames(names, next[index] ?? []);
    return [...added, ...removed].some((name) => common.has(name));
  });
}

function requiredOf({ required = [] }: Schema): readonly string[] {
  return required;
}

function mergeSchemas(a: Schema, b: Schema): Schema | undefined {
  const types = commonTypes(a.types, b.types);
  const isSettled = (key: keyof Schema): boolean =>
    mergedKeys.has(key) || a[key] === undefined || isDeepEqual(a[key], b[key]);
  if (types === undefined || !keysOf(b).every(isSettled)) return undefined;
  const merged: { -readonly [Key in keyof Schema]: Schema[Key] } = { ...b, ...a, types };
  for (const { name, combine } of bounds)
    if (a[name] !== undefined && b[name] !== undefined) merged[name] = combine(a[name], b[name]);
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  if (required.length > 0) merged.required = required;
  const properties = mergeProperties([...(a.properties ?? []), ...(b.properties ?? [])], new Set(required));
  if (properties.length > 0) merged.properties = properties;
  return merged;
}

/** Keys with a merge of their own, and annotations, of which the first wins. */
const mergedKeys: ReadonlySet<keyof Schema> = new Set([
  ...(["types", "properties", "required"] as const),
  ...annotationKeys,
  ...bounds.map(({ name }) => name),
]);

/** Merges properties by name: a property of several branches has to match each of their schemas. */
function mergeProperties(properties: readonly Property[], required: ReadonlySet<string>): readonly Property[] {
  const byName = new Map<string, Property>();
  for (const each of properties) {
    const previous = byName.get(each.name);
    const schema: Schema =
      previous === undefined || isDeepEqual(previous.schema, each.schema)
        ? each.schema
        : { types: [], allOf: [previous.schema, each.schema], origin: previous.schema.origin };
    byName.set(each.name, { ...each, ...previous, schema, required: each.required || required.has(each.name) });
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

function keysOf(schema: Schema): readonly (keyof Schema)[] {
  return Object.keys(schema) as (keyof Schema)[];
}
