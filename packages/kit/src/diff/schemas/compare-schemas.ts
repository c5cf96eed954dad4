import { ownValue } from "../../model/index.js";
import type { Schema } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareScopeCeiling } from "../api/compare-scopes.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { atEach, atToken, reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { compareErrors } from "../operations/compare-errors.js";
import { compareLimits } from "../operations/compare-limits.js";
import { compareDefaults, compareDeprecation, compareExamples } from "./compare-annotations.js";
import { boundRows, compareBounds } from "./compare-bounds.js";
import { compareConditions } from "./compare-conditions.js";
import { compareEnums } from "./compare-enums.js";
import { compareFilters } from "./compare-filters.js";
import { compareNulls, withoutNull } from "./compare-nulls.js";
import { compareProperties, compareRequired } from "./compare-properties.js";
import { compareReference } from "./compare-references.js";
import { compareFormats, comparePatterns, compareTypes } from "./compare-types.js";
import { compareDiscriminators, isBranchOfOther, compareUnions } from "./compare-unions.js";
import { compareValueRules } from "./compare-value-rules.js";
import { compareVisibility } from "./compare-visibility.js";
import { flattenSchema, haveParallelBranches } from "./flatten-schema.js";

/** Compares schemas. A named schema is compared once for each direction, whatever the number of references to it. */
export function compareSchemas(oldSchema: Schema, newSchema: Schema, at: ComparisonContext): void {
  if (oldSchema === newSchema) return;
  const [old, next] = [withoutNull(oldSchema), withoutNull(newSchema)];
  compareNulls([oldSchema, old], [newSchema, next], at);
  const { comparison } = at;
  if (old.ref === undefined && next.ref === undefined) return compareKeywords(old, next, at);
  if (isBranchOfOther(old, next, at)) return compareUnions(old, next, at);
  if (old.ref === undefined || next.ref === undefined) {
    const carrier = comparison.pair(oldSchema, newSchema, at);
    if (carrier !== undefined) compareKeywords(merged("old", old, at), merged("new", next, at), { ...at, carrier });
    return;
  }
  comparison.rename(old.ref, next.ref);
  const [before, after] = [
    comparison.schema("old", old.ref) ?? anySchema(old),
    comparison.schema("new", next.ref) ?? anySchema(next),
  ];
  const carrier = comparison.pair(before, after, at);
  const name = comparison.baseOf("new", next.ref);
  const within = { location: name, subject: name, pointer: "", part: undefined };
  if (carrier !== undefined) comparison.defer(() => compareSchemas(before, after, { ...at, ...within, carrier }));
  compareByTable(table, old, next, at); // the keywords beside the reference
}

/** Compares schemas that are not references. */
function compareKeywords(before: Schema, after: Schema, at: ComparisonContext): void {
  if (before.never !== after.never) {
    reportDifference(at, `${at.direction}-${after.never === true ? "forbidden" : "allowed"}`, {
      newOrigin: after.origin,
    });
    return;
  }
  const isSplit = before.allOf !== undefined || after.allOf !== undefined;
  const asWritten = !isSplit || haveParallelBranches(before, after);
  const [old, next] = asWritten ? [before, after] : [merged("old", before, at), merged("new", after, at)];
  if (isBranchOfOther(old, next, at)) compareUnions(old, next, at);
  else compareByTable(table, old, next, at);
}

/** Merges a reference or `allOf` branches into one schema; a schema that cannot be merged stays as written. */
function merged(side: "old" | "new", schema: Schema, { comparison, pointer }: ComparisonContext): Schema {
  if (schema.ref === undefined && schema.allOf === undefined) return schema;
  // Merged schemas are new objects: a recursive one would not be recognized as compared, so the depth ends it.
  if (pointer.split("/").length > deepest) return anySchema(schema);
  return flattenSchema(schema, (name) => comparison.schema(side, name)) ?? schema;
}

const deepest = 16; // steps into a value

/** The schema that allows every value. */
export function anySchema({ origin }: Schema): Schema {
  return { types: [], origin };
}

/** Compares a subschema, or where it is absent that of `rest`, which applies to what it leaves. Absent ones allow everything. */
function part(
  what: string,
  key: "items" | "additionalProperties" | "propertyNames",
  rest?: "unevaluatedItems" | "unevaluatedProperties",
): (old: Schema, next: Schema, at: ComparisonContext) => void {
  return (old, next, at) => {
    const [before, after] = [old, next].map((schema) => schema[key] ?? (rest && schema[rest]) ?? anySchema(next));
    if (before && after) (key === "items" ? compareItems : compareSchemas)(before, after, atEach(at, what));
  };
}

/** Compares items. Readers go through all of them, where they read only the fields that they know. */
function compareItems(old: Schema, next: Schema, at: ComparisonContext): void {
  const isAllowed = old.never === true && next.never !== true;
  if (isAllowed && at.direction === "response")
    reportDifference(at, "response-item-allowed", { newOrigin: next.origin });
  else compareSchemas(old, next, at);
}

/** Compares `contains`. Without it in one of the schemas, the bounds report the difference. */
function contained(old: Schema, next: Schema, at: ComparisonContext): void {
  if (old.contains === undefined || next.contains === undefined) compareBounds(old, next, at);
  else compareSchemas(old.contains, next.contains, atEach(at, "an item"));
}

/** Compares items by index; `items` applies after the last prefix item. */
function tuple(old: Schema, next: Schema, at: ComparisonContext): void {
  const length = Math.max(old.prefixItems?.length ?? 0, next.prefixItems?.length ?? 0);
  const itemAt = (schema: Schema, index: number): Schema =>
    schema.prefixItems?.[index] ?? schema.items ?? schema.unevaluatedItems ?? anySchema(next);
  for (let index = 0; index < length; index += 1)
    compareItems(itemAt(old, index), itemAt(next, index), atToken(at, String(index)));
}

/** Compares subschemas by their pattern, or by the property that they depend on. */
function parts(
  key: "patternProperties" | "dependentSchemas",
): (old: Schema, next: Schema, at: ComparisonContext) => void {
  return (old, next, at) => {
    const [before, after] = [old[key] ?? {}, next[key] ?? {}];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      compareSchemas(
        ownValue(before, name) ?? anySchema(next),
        ownValue(after, name) ?? anySchema(next),
        key === "patternProperties" ? atToken(at, name) : at,
      );
  };
}

/** Compares `allOf` branches: an additional one is an additional rule. */
function allBranches(old: Schema, next: Schema, at: ComparisonContext): void {
  const keys = new Map([...(old.allOf ?? []), ...(next.allOf ?? [])].map((each) => [each, each.ref ?? ""] as const));
  const { both, removed, added } = matchLists(old.allOf ?? [], next.allOf ?? [], (each) => keys.get(each) ?? "");
  for (const [before, after] of both) compareSchemas(before, after, at);
  for (const each of added) compareSchemas(anySchema(each), each, at);
  for (const each of removed) compareSchemas(each, anySchema(next), at);
}

const otherItems = part("an item", "items", "unevaluatedItems");
const otherProperties = part("a further field", "additionalProperties", "unevaluatedProperties");

const table: ComparisonTable<Schema> = {
  ref: "reported where references are followed",
  types: compareTypes,
  never: "reported before anything else",
  title: compareTexts,
  description: compareTexts,
  deprecated: compareDeprecation,
  default: compareDefaults,
  examples: compareExamples,
  enum: compareEnums,
  const: compareEnums,
  format: compareFormats,
  contentEncoding: compareFormats,
  contentMediaType: compareFormats,
  pattern: comparePatterns,
  ...boundRows,
  items: otherItems,
  prefixItems: tuple,
  contains: contained,
  uniqueItems: compareConditions,
  properties: compareProperties,
  required: compareRequired,
  additionalProperties: otherProperties,
  patternProperties: parts("patternProperties"),
  propertyNames: part("a field's name", "propertyNames"),
  dependentRequired: compareConditions,
  dependentSchemas: parts("dependentSchemas"),
  allOf: allBranches,
  anyOf: compareUnions,
  oneOf: compareUnions,
  not: compareConditions,
  if: compareConditions,
  then: compareConditions,
  else: compareConditions,
  unevaluatedProperties: otherProperties,
  unevaluatedItems: otherItems,
  discriminator: compareDiscriminators,
  keywords: compareConditions,
  limits: (old, next, at) => compareLimits(old.limits ?? [], next.limits ?? [], at),
  valueRules: compareValueRules,
  reference: (old, next, at) => compareReference(old, next, at),
  visibility: (old, next, at) => compareVisibility(old, next, at),
  filterable: compareFilters,
  scopeCeiling: compareScopeCeiling,
  errors: (old, next, at) => compareErrors(old.errors ?? [], next.errors ?? [], at),
  ...sourceRows,
};
