import type { Operation, Parameter } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched, renamed } from "./matched.js";
import { reference } from "./references.js";
import { sameBut } from "./same.js";
import { shapes } from "./shapes.js";
import { compareBy, places, type Table } from "./table.js";

/** Matches parameters by location and name. Path parameters also match by position, since requests do not contain their names. */
export function parameters(old: Operation, next: Operation, at: At): void {
  const byName = matched(old.parameters, next.parameters, keyOf);
  const inPath = matched(
    byName.removed.filter((each) => each.in === "path"),
    byName.added.filter((each) => each.in === "path"),
    (each) => String(orderOf(each, [old, next])),
  );
  const { both, removed, added } = matched(byName.removed, byName.added, (each) =>
    inPath.both.some((pair) => pair.includes(each)) ? `path ${orderOf(each, [old, next])}` : keyOf(each),
  );
  for (const [before, after] of [...byName.both, ...both]) {
    const place = placeOf(after);
    const of: At = { ...at, direction: "request", place, thing: `the ${place}` };
    if (before.name !== after.name)
      report(of, "parameter-renamed", { what: placeOf(before), new: after.name, here: after.origin });
    compareBy(table, before, after, of);
  }
  for (const each of added)
    report(at, each.required ? "parameter-required-added" : "parameter-added", {
      what: placeOf(each),
      here: each.origin,
    });
  const newNames = renamed({ removed, added }, (before, after) => sameBut(["name", "description"], before, after));
  for (const each of removed)
    report(at, "parameter-removed", {
      what: placeOf(each),
      gone: each.origin,
      renamedTo: newNames.get(each)?.name,
    });
}

const table: Table<Parameter> = {
  name: "reported where parameters are matched",
  in: "reported where parameters are matched",
  required: (_, next, at) =>
    report(at, next.required ? "parameter-required" : "parameter-optional", { what: placeOf(next), here: next.origin }),
  deprecated: (_, next, at) =>
    report(at, next.deprecated ? "parameter-deprecated" : "parameter-restored", {
      what: placeOf(next),
      here: next.origin,
    }),
  description: text,
  style: written,
  explode: written,
  allowReserved: written,
  mediaType: written,
  segments: (old, next, at) =>
    report(at, next.segments > old.segments ? "parameter-segments-raised" : "parameter-segments-lowered", {
      what: placeOf(next),
      old: old.segments,
      new: next.segments,
      here: next.origin,
    }),
  encodedSlash: (_, next, at) =>
    report(at, next.encodedSlash ? "parameter-slash-accepted" : "parameter-slash-rejected", {
      what: placeOf(next),
      here: next.origin,
    }),
  shape: (old, next, at) => shapes(old.shape, next.shape, at),
  reference: (old, next, at) => reference(old, next, at),
  ...places,
};

function written(old: Parameter, next: Parameter, at: At): void {
  report(at, "parameter-style-changed", {
    what: placeOf(next),
    old: writing(old),
    new: writing(next),
    here: next.origin,
  });
}

function writing({ style, explode, allowReserved, mediaType }: Parameter): string {
  return [
    ...(style === "content"
      ? [`as ${mediaType ?? "content"}`]
      : [`in the style ${style}`, ...(mediaType === undefined ? [] : [mediaType])]),
    ...(explode ? ["exploded"] : []),
    ...(allowReserved ? ["with reserved characters"] : []),
  ].join(", ");
}

function placeOf(parameter: Parameter): string {
  return `${parameter.in} parameter "${parameter.name}"`;
}

/** Header names are case-insensitive. */
function keyOf(parameter: Parameter): string {
  return `${parameter.in} ${parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name}`;
}

/** The index of a parameter in its path. */
function orderOf(parameter: Parameter, owners: readonly Operation[]): number {
  const owner = owners.find((each) => each.parameters.includes(parameter));
  return namesIn(owner?.path ?? "").indexOf(parameter.name);
}

/** The parameter names of a path, in order. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
}
