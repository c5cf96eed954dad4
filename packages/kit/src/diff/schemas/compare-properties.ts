import type { Property, Schema } from "../../model/index.js";
import { compareByTable, type ComparisonTable } from "../comparison-table.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { atToken, reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists, matchRenamed, compareNames } from "../match-lists.js";
import { compareMutability } from "./compare-mutability.js";
import { compareSchemas } from "./compare-schemas.js";

export function compareProperties(old: Schema, next: Schema, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.properties ?? [], next.properties ?? [], ({ name }) => name);
  for (const [before, after] of both) compareByTable(propertyTable, before, after, atToken(at, after.name));
  for (const { name, required: isRequired, schema } of added) {
    const atProperty = atToken(at, name);
    reportDifference(atProperty, `${at.direction}-property-${isRequired ? "required-added" : "added"}`, {
      newOrigin: schema.origin,
    });
  }
  const newNames = matchRenamed({ removed, added }, isSameField);
  for (const each of removed) {
    // A field may change from documented to undocumented: its schema is compared with that of undocumented fields.
    const facts = { oldOrigin: each.schema.origin, renamedTo: newNames.get(each)?.name };
    reportDifference(atToken(at, each.name), `${at.direction}-property-removed`, facts);
  }
}

function isSameField(old: Property, next: Property): boolean {
  return (
    isDeepEqualExcept(["name", "schema"], old, next) &&
    isDeepEqualExcept(["title", "description", "examples"], old.schema, next.schema)
  );
}

/** Compares required fields that this schema does not describe. */
export function compareRequired(old: Schema, next: Schema, at: ComparisonContext): void {
  const { added, removed } = compareNames(undescribed(old), undescribed(next));
  const isDescribed = (name: string): boolean =>
    [old, next].every((schema) => schema.properties?.some((each) => each.name === name));
  for (const name of added)
    if (!isDescribed(name))
      reportDifference(atToken(at, name), `${at.direction}-property-required`, { newOrigin: next.origin });
  for (const name of removed)
    if (!isDescribed(name))
      reportDifference(atToken(at, name), `${at.direction}-property-optional`, { newOrigin: next.origin });
}

function undescribed({ required: names = [], properties: described = [] }: Schema): readonly string[] {
  return names.filter((name) => !described.some((each) => each.name === name));
}

const propertyTable: ComparisonTable<Property> = {
  name: "reported where properties are matched",
  required: (_, next, at) =>
    reportDifference(at, `${at.direction}-property-${next.required ? "required" : "optional"}`, {
      newOrigin: next.schema.origin,
    }),
  readOnly: compareAccess,
  writeOnly: compareAccess,
  mutability: compareMutability,
  schema: (old, next, at) => compareSchemas(old.schema, next.schema, at),
};

function compareAccess(old: Property, next: Property, at: ComparisonContext): void {
  reportDifference(at, "field-access-changed", {
    subject: describeValue(at),
    old: formatAccess(old),
    new: formatAccess(next),
    newOrigin: next.schema.origin,
  });
}

function formatAccess({ readOnly, writeOnly }: Property): string {
  if (readOnly) return writeOnly ? "neither read nor written" : "read-only";
  return writeOnly ? "write-only" : "read and written";
}
