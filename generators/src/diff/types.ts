import type { JsonType, Shape } from "../model/api.js";
import { report, type At } from "./comparison.js";

/** Compares the types of a value, except null. */
export function types(old: Shape, next: Shape, at: At): void {
  const [before, after] = [typesOf(old), typesOf(next)];
  const isWider = isWithin(before, after);
  const isNarrower = isWithin(after, before);
  if (isWider && isNarrower) return;
  const change = isWider ? "widened" : isNarrower ? "narrowed" : "changed";
  report(at, `${at.direction}-type-${change}`, { old: named(before), new: named(after), here: next.origin });
}

/** Compares formats, and the encoding of bytes in texts. */
export function formats(old: Shape, next: Shape, at: At): void {
  const [before, after] = [formatOf(old), formatOf(next)];
  if (before === after) return;
  const isKept = (key: "contentEncoding" | "contentMediaType"): boolean => old[key] === next[key];
  const isText = ![old, next].some(({ format = "" }) => bytes.has(format));
  const isRule = isText && isKept("contentEncoding") && isKept("contentMediaType");
  const change =
    isRule && old.format === undefined ? "added" : isRule && next.format === undefined ? "removed" : "changed";
  report(at, `${at.direction}-format-${change}`, { old: before, new: after, here: next.origin });
}

/** Formats that change the kind of a value instead of restricting texts. */
const bytes: ReadonlySet<string> = new Set(["binary", "byte"]);

export function patterns(old: Shape, next: Shape, at: At): void {
  const change = old.pattern === undefined ? "added" : next.pattern === undefined ? "removed" : "changed";
  report(at, `${at.direction}-pattern-${change}`, { old: old.pattern, new: next.pattern, here: next.origin });
}

function formatOf({ format, contentEncoding, contentMediaType }: Shape): string {
  return [format, contentEncoding, contentMediaType].filter((each) => each !== undefined).join(" ") || "none";
}

/** Undefined stands for every type. */
function typesOf({ types: all }: Shape): readonly JsonType[] | undefined {
  return all.length === 0 ? undefined : all.filter((type) => type !== "null");
}

function isWithin(some: readonly JsonType[] | undefined, others: readonly JsonType[] | undefined): boolean {
  if (others === undefined || some === undefined) return others === undefined;
  return some.every((type) => others.includes(type) || (type === "integer" && others.includes("number")));
}

function named(all: readonly JsonType[] | undefined): string {
  if (all === undefined) return "of any type";
  return all.length === 0 ? "null" : all.join(" or ");
}
