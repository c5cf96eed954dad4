import { isArray, isObject, ownField, safeAssign } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";
import type { SlowPatterns } from "./slow-patterns.js";

/** Returns a value without some of its nulls. Returns the same value if it has none of them. */
export type NullRemover = (value: unknown) => unknown;

/**
 * Creates a function that removes nulls of properties that are not nullable: with `nulls: absent` of `x-input`, they count as absent.
 * Properties that any part of a schema declares are found in `allOf`, `anyOf`, `oneOf` and references.
 */
export function createNullRemover(root: JsonSchema, slowPatterns?: SlowPatterns): NullRemover {
  const known = new Map<unknown, NullRemover>();
  const definitions = isObject(root["$defs"]) ? root["$defs"] : {};
  const resolve = (reference: unknown): unknown => ownField(definitions, String(reference).replace("#/$defs/", ""));
  const removerOf = (schema: unknown): NullRemover => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    let own: ((value: unknown) => unknown) | undefined;
    const remove: NullRemover = (value) => (own ??= compile(partsOf(schema, resolve)))(value);
    known.set(schema, remove);
    return remove;
  };
  const compile = (parts: readonly JsonSchema[]): NullRemover => {
    const items = parts.map((part) => itemRemovers(part, removerOf));
    const others = parts.map((part) => otherRemovers(part, { removerOf, slowPatterns }));
    const properties = new Map<string, { readonly removers: NullRemover[]; isNullable: boolean }>();
    for (const part of parts) {
      const required = isArray(part["required"]) ? part["required"] : [];
      const declared = isObject(part["properties"]) ? part["properties"] : {};
      for (const name of required)
        if (!Object.hasOwn(declared, String(name))) properties.set(String(name), { removers: [], isNullable: false });
      for (const [name, schema] of Object.entries(declared)) {
        const entry = properties.get(name) ?? { removers: [], isNullable: true };
        entry.removers.push(removerOf(schema));
        entry.isNullable &&= allowsNull(schema, resolve);
        properties.set(name, entry);
      }
    }
    return (value) => {
      if (isArray(value))
        return mapItems(value, (each, index) =>
          applyAll(
            items.flatMap((removersAt) => removersAt(index)),
            each,
          ),
        );
      if (!isObject(value)) return value;
      return mapFields(value, (name, field) => {
        const entry = properties.get(name);
        if (field === null && entry?.isNullable === false) return undefined;
        const further = others.flatMap((removersOf) => removersOf(name, entry !== undefined));
        return applyAll([...(entry?.removers ?? []), ...further], field);
      });
    };
  };
  return removerOf(root);
}

/** Returns the removers of the item at an index: those of `prefixItems`, and behind them of `items`. */
function itemRemovers(
  { prefixItems, items }: JsonSchema,
  removerOf: (schema: unknown) => NullRemover,
): (index: number) => readonly NullRemover[] {
  const first = isArray(prefixItems) ? prefixItems.map(removerOf) : [];
  const rest = isObject(items) ? [removerOf(items)] : [];
  return (index) => (index < first.length ? first.slice(index, index + 1) : rest);
}

interface RemoverContext {
  readonly removerOf: (schema: unknown) => NullRemover;
  readonly slowPatterns: SlowPatterns | undefined;
}

/** Returns the removers of a property that `properties` does not declare, by its name. Any part of the schema may evaluate it. */
function otherRemovers(
  { properties, patternProperties, additionalProperties, unevaluatedProperties }: JsonSchema,
  { removerOf, slowPatterns }: RemoverContext,
): (name: string, isEvaluated: boolean) => readonly NullRemover[] {
  const declared = isObject(properties) ? properties : {};
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(([pattern, schema]) => ({
    pattern: slowPatterns?.find(pattern) ?? toRegExp(pattern),
    remove: removerOf(schema),
  }));
  const [additional, unevaluated] = [additionalProperties, unevaluatedProperties].map((each) =>
    isObject(each) ? [removerOf(each)] : [],
  );
  return (name, isEvaluated) => {
    const matching = patterns.filter(({ pattern }) => pattern.test(name)).map(({ remove }) => remove);
    if (matching.length > 0 || Object.hasOwn(declared, name)) return matching;
    return [...(additional ?? []), ...(isEvaluated ? [] : (unevaluated ?? []))];
  };
}

/** As in the compiled checks: with the flag `u`, or without it for patterns that are valid without it only. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function applyAll(removers: readonly NullRemover[], value: unknown): unknown {
  return removers.reduce((before, remove) => remove(before), value);
}

function mapItems(values: readonly unknown[], change: (value: unknown, index: number) => unknown): readonly unknown[] {
  const changed = values.map(change);
  return changed.some((each, index) => each !== values[index]) ? changed : values;
}

function mapFields(fields: Readonly<Record<string, unknown>>, change: (name: string, value: unknown) => unknown) {
  let isChanged = false;
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const next = change(name, value);
    isChanged ||= next !== value;
    if (next !== undefined) safeAssign(changed, name, next);
  }
  return isChanged ? changed : fields;
}

type Resolve = (reference: unknown) => unknown;

/** Returns the schemas that apply to the same value. */
function partsOf(schema: unknown, resolve: Resolve, seen: Set<unknown> = new Set()): readonly JsonSchema[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const parts = [allOf, anyOf, oneOf].flatMap((each) => (isArray(each) ? each : []));
  if ($ref !== undefined) parts.push(resolve($ref));
  return [schema, ...parts.flatMap((each) => partsOf(each, resolve, seen))];
}

/** False if a schema certainly rejects null. */
function allowsNull(schema: unknown, resolve: Resolve, seen: ReadonlySet<unknown> = new Set()): boolean {
  if (schema === false) return false;
  if (!isObject(schema) || seen.has(schema)) return true;
  const further = new Set([...seen, schema]);
  const allows = (each: unknown): boolean => allowsNull(each, resolve, further);
  const { type, enum: values, $ref, allOf, anyOf, oneOf } = schema;
  if (type !== undefined && !(isArray(type) ? type : [type]).includes("null")) return false;
  if (Object.hasOwn(schema, "const") && schema["const"] !== null) return false;
  if (isArray(values) && !values.includes(null)) return false;
  if ($ref !== undefined && !allows(resolve($ref))) return false;
  if (isArray(allOf) && !allOf.every(allows)) return false;
  if (isArray(anyOf) && !anyOf.some(allows)) return false;
  return !isArray(oneOf) || oneOf.some(allows);
}
