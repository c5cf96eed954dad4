import type { Property, Shape } from "../model/api.js";
import { changes } from "./changes.js";
import { inside, report, whatAt, type At } from "./comparison.js";
import { matched, renamed, won } from "./matched.js";
import { sameBut } from "./same.js";
import { shapes } from "./shapes.js";
import { compareBy, type Table } from "./table.js";

export function properties(old: Shape, next: Shape, at: At): void {
  const { both, removed, added } = matched(old.properties ?? [], next.properties ?? [], ({ name }) => name);
  for (const [before, after] of both) compareBy(table, before, after, inside(at, after.name));
  for (const { name, required: isRequired, shape } of added) {
    const of = inside(at, name);
    report(of, `${at.direction}-property-${isRequired ? "required-added" : "added"}`, { here: shape.origin });
  }
  const newNames = renamed({ removed, added }, isAlike);
  for (const each of removed) {
    // A field may change from documented to undocumented: its schema is compared with that of undocumented fields.
    const facts = { gone: each.shape.origin, renamedTo: newNames.get(each)?.name };
    report(inside(at, each.name), `${at.direction}-property-removed`, facts);
  }
}

function isAlike(old: Property, next: Property): boolean {
  return sameBut(["name", "shape"], old, next) && sameBut(["title", "description", "examples"], old.shape, next.shape);
}

/** Compares required fields that this schema does not describe. */
export function required(old: Shape, next: Shape, at: At): void {
  const { added, removed } = won(undescribed(old), undescribed(next));
  const isDescribed = (name: string): boolean =>
    [old, next].every((shape) => shape.properties?.some((each) => each.name === name));
  for (const name of added)
    if (!isDescribed(name)) report(inside(at, name), `${at.direction}-property-required`, { here: next.origin });
  for (const name of removed)
    if (!isDescribed(name)) report(inside(at, name), `${at.direction}-property-optional`, { here: next.origin });
}

function undescribed({ required: names = [], properties: described = [] }: Shape): readonly string[] {
  return names.filter((name) => !described.some((each) => each.name === name));
}

const table: Table<Property> = {
  name: "reported where properties are matched",
  required: (_, next, at) =>
    report(at, `${at.direction}-property-${next.required ? "required" : "optional"}`, { here: next.shape.origin }),
  readOnly: access,
  writeOnly: access,
  change: changes,
  shape: (old, next, at) => shapes(old.shape, next.shape, at),
};

function access(old: Property, next: Property, at: At): void {
  report(at, "field-access-changed", {
    what: whatAt(at),
    old: accessOf(old),
    new: accessOf(next),
    here: next.shape.origin,
  });
}

function accessOf({ readOnly, writeOnly }: Property): string {
  if (readOnly) return writeOnly ? "neither read nor written" : "read-only";
  return writeOnly ? "write-only" : "read and written";
}
