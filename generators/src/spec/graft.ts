import { isObject } from "../json.js";
import type { Origin } from "../problem.js";
import { pointerOf, type SourceFile } from "./place.js";

/** A value whose parts may come from several files. It is immutable, so that parts which YAML aliases share change independently. */
export interface Graft {
  readonly value: unknown;
  readonly written: Written;
}

/** The source of a value. `parts` has the sources of children that are not inside that source. */
export interface Written {
  readonly file: SourceFile;
  readonly tokens: readonly string[];
  readonly parts?: ReadonlyMap<string, Written>;
}

/** Called with each value before it is copied. */
export type OnVisit = (copied: Graft) => void;

export type Kind = "an object" | "a list" | "a plain value";

/** Called if two values for one key are of different kinds: the existing value, and the update. */
export type OnClash = (there: Graft, put: Graft) => void;

export function kindOf(value: unknown): Kind {
  return isObject(value) ? "an object" : Array.isArray(value) ? "a list" : "a plain value";
}

/** Returns the children of a value, by key or index. */
export function partsOf({ value, written }: Graft): Map<string, Graft> {
  const entries: readonly (readonly [string, unknown])[] =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([key, inside]) => [key, { value: inside, written: stepInto(written, key) }] as const));
}

/** Merges an update into a value: objects by key, arrays by concatenation. Other values are replaced. */
export function merged(there: Graft, put: Graft, on: { readonly onClash: OnClash; readonly visit: OnVisit }): Graft {
  const kind = kindOf(there.value);
  on.visit(there);
  on.visit(put);
  if (kind !== kindOf(put.value)) {
    on.onClash(there, put);
    return there;
  }
  if (kind === "a plain value") return put;
  if (kind === "a list") return listOf(there, [...partsOf(there).values(), ...partsOf(put).values()]);
  const parts = partsOf(there);
  for (const [key, part] of partsOf(put)) {
    const before = parts.get(key);
    parts.set(key, before === undefined ? part : merged(before, part, on));
  }
  return objectOf(there, parts);
}

/** Returns a list with one more item. */
export function appended(list: Graft, item: Graft): Graft {
  return listOf(list, [...partsOf(list).values(), item]);
}

/**
 * Changes the parts at these paths, each once and from the outside in. A part is removed if `change` returns
 * `undefined`. Paths that do not exist
 * are skipped. Returns `undefined` if the root itself is removed.
 */
export function changedAt(
  graft: Graft,
  places: readonly (readonly string[])[],
  changing: { readonly change: (part: Graft) => Graft | undefined; readonly visit: OnVisit },
): Graft | undefined {
  changing.visit(graft);
  const here = places.some((keys) => keys.length === 0) ? changing.change(graft) : graft;
  const inside = new Map<string, (readonly string[])[]>();
  for (const [key, ...rest] of places) {
    if (key === undefined) continue;
    const others = inside.get(key);
    if (others === undefined) inside.set(key, [rest]);
    else others.push(rest);
  }
  if (here === undefined || inside.size === 0) return here;
  const parts = partsOf(here);
  for (const [key, rest] of inside) {
    const part = parts.get(key);
    const next = part && changedAt(part, rest, changing);
    if (next === undefined) parts.delete(key);
    else parts.set(key, next);
  }
  return Array.isArray(here.value) ? listOf(here, [...parts.values()]) : objectOf(here, parts);
}

/** Returns the source of the node at these keys, or of its nearest existing ancestor. */
export function writtenAt(written: Written, keys: readonly string[]): Written {
  let here = written;
  for (const key of keys) {
    if (here.parts !== undefined && !here.parts.has(key)) return here;
    here = stepInto(here, key);
  }
  return here;
}

export function originOf({ file, tokens }: Written): Origin {
  return { file: file.name, pointer: pointerOf(tokens) };
}

function stepInto({ file, tokens, parts }: Written, key: string): Written {
  return parts?.get(key) ?? { file, tokens: [...tokens, key] };
}

function objectOf({ written }: Graft, parts: ReadonlyMap<string, Graft>): Graft {
  // Unlike an assignment, `fromEntries` creates an own key `__proto__`.
  const value: unknown = Object.fromEntries([...parts].map(([key, part]) => [key, part.value] as const));
  return { value, written: { ...written, parts: new Map([...parts].map(([key, part]) => [key, part.written])) } };
}

function listOf({ written }: Graft, items: readonly Graft[]): Graft {
  const parts = new Map(items.map((item, index) => [String(index), item.written] as const));
  return { value: items.map((item) => item.value), written: { ...written, parts } };
}
