import { type Duration, type Limit, type LimitKind } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readExpression } from "./conditions.js";
import { definedFields, readStrings } from "./plain-data.js";
import { readSources } from "./sources.js";

/**
 * Reads the limits under `x-limits` of a node. Entries without the members that their kind requires are skipped; the
 * linter reports them.
 */
export function readLimits(place: SpecNode): readonly Limit[] {
  return (place.get("x-limits")?.items() ?? []).map(readLimit).filter(isComplete);
}

function readLimit(item: SpecNode): Limit {
  const settled = item.get("until");
  const until = settled && readExpression(settled, "settled");
  const by = item.get("by");
  const counts = item.get("counts");
  const since = item.get("since");
  return definedFields<Limit>({
    id: item.text("id") ?? "",
    kind: item.text("kind") as LimitKind,
    max: item.number("max"),
    window: readDuration(item.text("window")),
    per: readExpression(item, "per"),
    counts: counts && { errors: readNames(counts, "errors"), effects: readNames(counts, "effects") },
    since: since && readStrings(since),
    reached: item.text("reached"),
    until: until && { settled: until },
    by: by && readStrings(by),
    within: item.text("within"),
    error: item.text("error"),
    sources: readSources(item),
    origin: item.origin,
  });
}

function readNames(counts: SpecNode, key: "errors" | "effects"): readonly string[] {
  const names = counts.get(key);
  return names === undefined ? [] : readStrings(names);
}

function isComplete({ id, kind, ...limit }: Limit): boolean {
  return id !== "" && Object.hasOwn(hasRequiredMembers, kind) && hasRequiredMembers[kind](limit);
}

const hasRequiredMembers: Readonly<Record<LimitKind, (limit: Omit<Limit, "id" | "kind">) => boolean>> = {
  rate: ({ max, window }) => max !== undefined && window !== undefined,
  "outcome-rate": ({ max, window, counts }) => max !== undefined && window !== undefined && counts !== undefined,
  concurrency: ({ max }) => max !== undefined,
  unique: ({ within }) => within !== undefined,
  "combined-length": ({ max }) => max !== undefined,
  "serialized-length": ({ max }) => max !== undefined,
  bytes: ({ max }) => max !== undefined,
  retention: ({ max, window }) => max !== undefined || window !== undefined,
};

/**
 * Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds. Returns `undefined` for months and years,
 * which vary in length.
 */
export function readDuration(text: string | undefined): Duration | undefined {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text ?? "");
  if (text === undefined || match === null || /[PT]$/.test(text)) return undefined;
  const [, weeks, days, hours, minutes, seconds] = match.map((part) => Number(part ?? 0));
  const total = (((weeks ?? 0) * 7 + (days ?? 0)) * 24 + (hours ?? 0)) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return { text, seconds: total };
}
