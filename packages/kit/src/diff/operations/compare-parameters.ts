import type { Operation, Parameter } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists, matchRenamed } from "../match-lists.js";
import { compareReference } from "../schemas/compare-references.js";
import { compareSchemas } from "../schemas/compare-schemas.js";

/** Matches parameters by location and name. Path parameters also match by position, since requests do not contain their names. */
export function compareParameters(old: Operation, next: Operation, at: ComparisonContext): void {
  const byName = matchLists(old.parameters, next.parameters, parameterKey);
  const inPath = matchLists(
    byName.removed.filter((each) => each.in === "path"),
    byName.added.filter((each) => each.in === "path"),
    (each) => String(pathIndex(each, [old, next])),
  );
  const { both, removed, added } = matchLists(byName.removed, byName.added, (each) =>
    inPath.both.some((pair) => pair.includes(each)) ? `path ${pathIndex(each, [old, next])}` : parameterKey(each),
  );
  for (const [before, after] of [...byName.both, ...both]) {
    const place = parameterLabel(after);
    const atParameter: ComparisonContext = { ...at, direction: "request", location: place, subject: `the ${place}` };
    if (before.name !== after.name)
      reportDifference(atParameter, "parameter-renamed", {
        subject: parameterLabel(before),
        new: after.name,
        newOrigin: after.origin,
      });
    compareByTable(parameterTable, before, after, atParameter);
  }
  for (const each of added)
    reportDifference(at, each.required ? "parameter-required-added" : "parameter-added", {
      subject: parameterLabel(each),
      newOrigin: each.origin,
    });
  const newNames = matchRenamed({ removed, added }, (before, after) =>
    isDeepEqualExcept(["name", "description"], before, after),
  );
  for (const each of removed)
    reportDifference(at, "parameter-removed", {
      subject: parameterLabel(each),
      oldOrigin: each.origin,
      renamedTo: newNames.get(each)?.name,
    });
}

export const parameterTable: ComparisonTable<Parameter> = {
  name: "reported where parameters are matched",
  in: "reported where parameters are matched",
  required: (_, next, at) =>
    reportDifference(at, next.required ? "parameter-required" : "parameter-optional", {
      subject: parameterLabel(next),
      newOrigin: next.origin,
    }),
  deprecated: (_, next, at) =>
    reportDifference(at, next.deprecated ? "parameter-deprecated" : "parameter-restored", {
      subject: parameterLabel(next),
      newOrigin: next.origin,
    }),
  description: compareTexts,
  style: compareStyle,
  explode: compareStyle,
  allowReserved: compareStyle,
  mediaType: compareStyle,
  segments: (old, next, at) =>
    reportDifference(at, next.segments > old.segments ? "parameter-segments-raised" : "parameter-segments-lowered", {
      subject: parameterLabel(next),
      old: old.segments,
      new: next.segments,
      newOrigin: next.origin,
    }),
  encodedSlash: (_, next, at) =>
    reportDifference(at, next.encodedSlash ? "parameter-slash-accepted" : "parameter-slash-rejected", {
      subject: parameterLabel(next),
      newOrigin: next.origin,
    }),
  schema: (old, next, at) => compareSchemas(old.schema, next.schema, at),
  reference: (old, next, at) => compareReference(old, next, at),
  ...sourceRows,
};

function compareStyle(old: Parameter, next: Parameter, at: ComparisonContext): void {
  reportDifference(at, "parameter-style-changed", {
    subject: parameterLabel(next),
    old: formatStyle(old),
    new: formatStyle(next),
    newOrigin: next.origin,
  });
}

function formatStyle({ style, explode, allowReserved, mediaType }: Parameter): string {
  return [
    ...(style === "content"
      ? [`as ${mediaType ?? "content"}`]
      : [`in the style ${style}`, ...(mediaType === undefined ? [] : [mediaType])]),
    ...(explode ? ["exploded"] : []),
    ...(allowReserved ? ["with reserved characters"] : []),
  ].join(", ");
}

export function parameterLabel(parameter: Parameter): string {
  return `${parameter.in} parameter "${parameter.name}"`;
}

/** Header names are case-insensitive. */
function parameterKey(parameter: Parameter): string {
  return `${parameter.in} ${parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name}`;
}

/** The index of a parameter in its path. */
function pathIndex(parameter: Parameter, owners: readonly Operation[]): number {
  const owner = owners.find((each) => each.parameters.includes(parameter));
  return pathParameterNames(owner?.path ?? "").indexOf(parameter.name);
}

/** The parameter names of a path, in order. */
export function pathParameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
}
