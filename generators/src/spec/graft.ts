import { isObject } from "../json.js";
import type { Origin } from "../problem.js";
import { pointerOf, type SourceFile } from "./place.js";

/**
 * A value whose parts may be written in several files. Nothing is changed in place, so that parts which YAML aliases share change one by
 * one.
 */
export interface Graft {
  readonly value: unknown;
  readonly written: Written;
}

/** Where a value is written; `parts` says it of what is inside, where that is not all written inside it. */
export interface Written {
  readonly file: SourceFile;
  readonly tokens: readonly string[];
  readonly parts?: ReadonlyMap<string, Written>;
}

/** Is given each value before it is copied. */
export type OnVisit = (copied: Graft) => void;

export type Kind = "an object" | "a list" | "a plain value";

/** Told of two values for one key that are not of one kind: the one that is there, and the one that cannot be put. */
export type OnClash = (there: Graft, put: Graft) => void;

export function kindOf(value: unknown): Kind {
  return isObject(value) ? "an object" : Array.isArray(value) ? "a list" : "a plain value";
}

/** What is directly inside a value, by key; in a list by index. */
export function partsOf({ value, written }: Graft): Map<string, Graft> {
  const entries: readonly (readonly [string, unknown])[] =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([key, inside]) => [key, { value: inside, written: stepInto(written, key) }] as const));
}

/** An update put into a value: objects key by key, lists one after the other, and anything else in place of what was there. */
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

/** A list with one item more. */
export function appended(list: Graft, item: Graft): Graft {
  return listOf(list, [...partsOf(list).values(), item]);
}

/**
 * The value with the parts at these places changed, or taken out where the change is to nothing: each once, and what is inside after what is
 * around it. Each place is the keys that lead there; one that leads nowhere is left out. Undefined when the value is taken out itself.
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

/** Where the node at these keys is written, or the nearest around it that is there. */
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
  // What is made of entries has a key __proto__ like any other.
  const value: unknown = Object.fromEntries([...parts].map(([key, part]) => [key, part.value] as const));
  return { value, written: { ...written, parts: new Map([...parts].map(([key, part]) => [key, part.written])) } };
}

function listOf({ written }: Graft, items: readonly Graft[]): Graft {
  const parts = new Map(items.map((item, index) => [String(index), item.written] as const));
  return { value: items.map((item) => item.value), written: { ...written, parts } };
}
