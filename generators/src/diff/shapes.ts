import type { Shape } from "../model/api.js";
import { defaults, deprecation, examples } from "./annotations.js";
import { bounds } from "./bounds.js";
import { inside, report, type At } from "./comparison.js";
import { enums } from "./enums.js";
import { errors } from "./errors.js";
import { filters } from "./filters.js";
import { flatten, isParallel } from "./flatten.js";
import { text } from "./info.js";
import { limits } from "./limits.js";
import { matched } from "./matched.js";
import { nulls, withoutNull } from "./nulls.js";
import { properties, required } from "./properties.js";
import { reference } from "./references.js";
import { conditions } from "./rules.js";
import { scopeCeiling } from "./scopes.js";
import { compareBy, places, type Table } from "./table.js";
import { formats, patterns, types } from "./types.js";
import { discriminators, isOneOfItsBranches, unions } from "./unions.js";
import { values } from "./values.js";
import { visible } from "./visible.js";

/** Compares schemas. A named schema is compared once for each direction, whatever the number of references to it. */
export function shapes(given: Shape, givenNext: Shape, at: At): void {
  if (given === givenNext) return;
  const [old, next] = [withoutNull(given), withoutNull(givenNext)];
  nulls([given, old], [givenNext, next], at);
  const { comparison } = at;
  if (old.ref === undefined && next.ref === undefined) return whole(old, next, at);
  if (isOneOfItsBranches(old, next, at)) return unions(old, next, at);
  if (old.ref === undefined || next.ref === undefined) {
    const carrier = comparison.pair(given, givenNext, at);
    if (carrier !== undefined) whole(merged("old", old, at), merged("new", next, at), { ...at, carrier });
    return;
  }
  comparison.rename(old.ref, next.ref);
  const [before, after] = [
    comparison.shape("old", old.ref) ?? anything(old),
    comparison.shape("new", next.ref) ?? anything(next),
  ];
  const carrier = comparison.pair(before, after, at);
  const name = comparison.baseOf("new", next.ref);
  const within = { place: name, thing: name, pointer: "" };
  if (carrier !== undefined) comparison.later(() => shapes(before, after, { ...at, ...within, carrier }));
  compareBy(table, old, next, at); // the keywords beside the reference
}

/** Compares schemas that are not references. */
function whole(given: Shape, givenNext: Shape, at: At): void {
  if (given.never !== givenNext.never) {
    report(at, `${at.direction}-${givenNext.never === true ? "refused" : "allowed"}`, { here: givenNext.origin });
    return;
  }
  const isSplit = given.allOf !== undefined || givenNext.allOf !== undefined;
  const asWritten = !isSplit || isParallel(given, givenNext);
  const [old, next] = asWritten ? [given, givenNext] : [merged("old", given, at), merged("new", givenNext, at)];
  if (isOneOfItsBranches(old, next, at)) unions(old, next, at);
  else compareBy(table, old, next, at);
}

/** Merges a reference or `allOf` branches into one schema; a schema that cannot be merged stays as written. */
function merged(side: "old" | "new", shape: Shape, { comparison, pointer }: At): Shape {
  if (shape.ref === undefined && shape.allOf === undefined) return shape;
  // Merged schemas are new objects: a recursive one would not be recognized as compared, so the depth ends it.
  if (pointer.split("/").length > deepest) return anything(shape);
  return flatten(shape, (name) => comparison.shape(side, name)) ?? shape;
}

const deepest = 16; // steps into a value

function anything({ origin }: Shape): Shape {
  return { types: [], origin };
}

/** Compares a subschema. An absent one allows everything. */
function part(
  key: keyof Shape &
    ("items" | "additionalProperties" | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems"),
): (old: Shape, next: Shape, at: At) => void {
  return (old, next, at) => shapes(old[key] ?? anything(next), next[key] ?? anything(next), inside(at, "*"));
}

/** Compares `contains`. Without it in one of the schemas, the bounds report the difference. */
function contained(old: Shape, next: Shape, at: At): void {
  if (old.contains === undefined || next.contains === undefined) bounds(old, next, at);
  else shapes(old.contains, next.contains, inside(at, "*"));
}

/** Compares items by index; `items` applies after the last prefix item. */
function tuple(old: Shape, next: Shape, at: At): void {
  const length = Math.max(old.prefixItems?.length ?? 0, next.prefixItems?.length ?? 0);
  const itemAt = (shape: Shape, index: number): Shape => shape.prefixItems?.[index] ?? shape.items ?? anything(next);
  for (let index = 0; index < length; index += 1)
    shapes(itemAt(old, index), itemAt(next, index), inside(at, String(index)));
}

/** Compares subschemas by their pattern, or by the property that they depend on. */
function parts(key: "patternProperties" | "dependentSchemas"): (old: Shape, next: Shape, at: At) => void {
  return (old, next, at) => {
    const [before, after] = [old[key] ?? {}, next[key] ?? {}];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      shapes(
        before[name] ?? anything(next),
        after[name] ?? anything(next),
        key === "patternProperties" ? inside(at, name) : at,
      );
  };
}

/** Compares `allOf` branches: an additional one is an additional rule. */
function allBranches(old: Shape, next: Shape, at: At): void {
  const keys = new Map([...(old.allOf ?? []), ...(next.allOf ?? [])].map((each) => [each, each.ref ?? ""] as const));
  const { both, removed, added } = matched(old.allOf ?? [], next.allOf ?? [], (each) => keys.get(each) ?? "");
  for (const [before, after] of both) shapes(before, after, at);
  for (const each of added) shapes(anything(each), each, at);
  for (const each of removed) shapes(each, anything(next), at);
}

const table: Table<Shape> = {
  ref: "reported where references are followed",
  types,
  never: "reported before anything else",
  title: text,
  description: text,
  deprecated: deprecation,
  default: defaults,
  examples,
  enum: enums,
  const: enums,
  format: formats,
  contentEncoding: formats,
  contentMediaType: formats,
  pattern: patterns,
  minLength: bounds,
  maxLength: bounds,
  minimum: bounds,
  maximum: bounds,
  exclusiveMinimum: bounds,
  exclusiveMaximum: bounds,
  multipleOf: bounds,
  items: part("items"),
  prefixItems: tuple,
  contains: contained,
  minContains: bounds,
  maxContains: bounds,
  minItems: bounds,
  maxItems: bounds,
  uniqueItems: conditions,
  properties,
  required,
  additionalProperties: part("additionalProperties"),
  patternProperties: parts("patternProperties"),
  propertyNames: part("propertyNames"),
  minProperties: bounds,
  maxProperties: bounds,
  dependentRequired: conditions,
  dependentSchemas: parts("dependentSchemas"),
  allOf: allBranches,
  anyOf: unions,
  oneOf: unions,
  not: conditions,
  if: conditions,
  then: conditions,
  else: conditions,
  unevaluatedProperties: part("unevaluatedProperties"),
  unevaluatedItems: part("unevaluatedItems"),
  discriminator: discriminators,
  limits: (old, next, at) => limits(old.limits ?? [], next.limits ?? [], at),
  values,
  reference: (old, next, at) => reference(old, next, at),
  visible: (old, next, at) => visible(old, next, at),
  filterable: filters,
  scopeCeiling,
  failures: (old, next, at) => errors(old.failures ?? [], next.failures ?? [], at),
  ...places,
};
