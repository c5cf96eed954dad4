import type { JsonType, Schema } from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

/** Compares the types of a value, except null. */
export function compareTypes(old: Schema, next: Schema, at: ComparisonContext): void {
  const [before, after] = [typesOf(old), typesOf(next)];
  const isWider = isWithin(before, after);
  const isNarrower = isWithin(after, before);
  if (isWider && isNarrower) return;
  const change = isWider ? "widened" : isNarrower ? "narrowed" : "changed";
  reportDifference(at, `${at.direction}-type-${change}`, {
    old: formatTypes(before),
    new: formatTypes(after),
    newOrigin: next.origin,
  });
}

/** Compares formats, and the encoding of bytes in texts. */
export function compareFormats(old: Schema, next: Schema, at: ComparisonContext): void {
  const [before, after] = [formatOf(old), formatOf(next)];
  if (before === after) return;
  const isKept = (key: "contentEncoding" | "contentMediaType"): boolean => old[key] === next[key];
  const isText = ![old, next].some(({ format = "" }) => byteFormats.has(format));
  const isRule = isText && isKept("contentEncoding") && isKept("contentMediaType");
  const change =
    isRule && old.format === undefined ? "added" : isRule && next.format === undefined ? "removed" : "changed";
  reportDifference(at, `${at.direction}-format-${change}`, { old: before, new: after, newOrigin: next.origin });
}

/** Formats that change the kind of a value instead of restricting texts. */
const byteFormats: ReadonlySet<string> = new Set(["binary", "byte"]);

export function comparePatterns(old: Schema, next: Schema, at: ComparisonContext): void {
  const change = old.pattern === undefined ? "added" : next.pattern === undefined ? "removed" : "changed";
  reportDifference(at, `${at.direction}-pattern-${change}`, {
    old: old.pattern,
    new: next.pattern,
    newOrigin: next.origin,
  });
}

/** Whether all types of a value are among those of another one, except null. */
export function isOfTypes(schema: Schema, other: Schema): boolean {
  return isWithin(typesOf(schema), typesOf(other));
}

function formatOf({ format, contentEncoding, contentMediaType }: Schema): string {
  return [format, contentEncoding, contentMediaType].filter((each) => each !== undefined).join(" ") || "none";
}

/** Undefined stands for every type. */
function typesOf({ types: all }: Schema): readonly JsonType[] | undefined {
  return all.length === 0 ? undefined : all.filter((type) => type !== "null");
}

function isWithin(some: readonly JsonType[] | undefined, others: readonly JsonType[] | undefined): boolean {
  if (others === undefined || some === undefined) return others === undefined;
  return some.every((type) => others.includes(type) || (type === "integer" && others.includes("number")));
}

function formatTypes(all: readonly JsonType[] | undefined): string {
  if (all === undefined) return "of any type";
  return all.length === 0 ? "null" : all.join(" or ");
}
