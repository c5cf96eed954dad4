import type { ConformanceSettings } from "./settings.js";

/** The requirements that the settings assign to a case by its id. */
export function extraRequirements(settings: ConformanceSettings, id: string): readonly string[] {
  const { exact, patterns } = indexOf(settings);
  const parts = id.split("/");
  const fitting = ["*", parts.slice(0, 2).join("/")].flatMap((place) =>
    (patterns.get(place) ?? []).flatMap(({ requirement, matches }) => (matches(parts) ? [requirement] : [])),
  );
  return [...new Set([...(exact.get(id) ?? []), ...fitting])];
}

/**
 * Compiles a pattern of the settings: a case id in which `*` matches one segment, and at the end all that follow.
 *
 * @returns A predicate over the segments of an id.
 */
export function matchesCaseId(pattern: string): (parts: readonly string[]) => boolean {
  const segments = pattern.split("/");
  const isOpen = segments.at(-1) === "*";
  return (parts) => {
    if (isOpen ? parts.length < segments.length : parts.length !== segments.length) return false;
    return segments.every((part, at) => part === "*" || part === parts[at]);
  };
}

interface PatternIndex {
  readonly exact: ReadonlyMap<string, readonly string[]>;
  /** Patterns by area and operation, with `*` for any. */
  readonly patterns: ReadonlyMap<string, readonly CasePattern[]>;
}

interface CasePattern {
  readonly requirement: string;
  readonly matches: (parts: readonly string[]) => boolean;
}

const cache = new WeakMap<ConformanceSettings, PatternIndex>();

/** Compiled once, since every case uses it. */
function indexOf(settings: ConformanceSettings): PatternIndex {
  const index = cache.get(settings) ?? read(settings);
  cache.set(settings, index);
  return index;
}

function read({ also }: ConformanceSettings): PatternIndex {
  const all = Object.entries(also).flatMap(([requirement, ids]) => ids.map((id) => ({ requirement, id })));
  const exact = new Map<string, string[]>();
  for (const { requirement, id } of all) if (!id.includes("*")) exact.set(id, [...(exact.get(id) ?? []), requirement]);
  const patterns = new Map<string, CasePattern[]>();
  for (const { requirement, id } of all) {
    if (!id.includes("*")) continue;
    const operation = id.split("/").slice(0, 2).join("/");
    const place = operation.includes("*") ? "*" : operation;
    patterns.set(place, [...(patterns.get(place) ?? []), { requirement, matches: matchesCaseId(id) }]);
  }
  return { exact, patterns };
}
