import { isJsonObject, type SourceRef } from "../../model/index.js";
import { formatPointer, type SourceFile } from "../read/spec-node.js";

/** A value whose parts may come from several files. It is immutable, so that parts which YAML aliases share change independently. */
export interface TracedValue {
  readonly value: unknown;
  readonly source: SourceTrace;
}

/** The source of a value. `parts` has the sources of children that are not inside that source. */
export interface SourceTrace {
  readonly file: SourceFile;
  readonly tokens: readonly string[];
  readonly parts?: ReadonlyMap<string, SourceTrace>;
}

/** Called with each value before it is copied. */
export type OnVisit = (copied: TracedValue) => void;

export type ValueKind = "an object" | "a list" | "a plain value";

/** Called if two values for one key are of different kinds: the existing value, and the update. */
export type OnKindMismatch = (there: TracedValue, put: TracedValue) => void;

export function valueKind(value: unknown): ValueKind {
  return isJsonObject(value) ? "an object" : Array.isArray(value) ? "a list" : "a plain value";
}

/** Returns the children of a value, by key or index. */
export function tracedChildren({ value, source }: TracedValue): Map<string, TracedValue> {
  const entries: readonly (readonly [string, unknown])[] =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([key, inside]) => [key, { value: inside, source: stepInto(source, key) }] as const));
}

/** Merges an update into a value: objects by key, arrays by concatenation. Other values are replaced. */
export function mergeTraced(
  there: TracedValue,
  put: TracedValue,
  on: { readonly onClash: OnKindMismatch; readonly visit: OnVisit },
): TracedValue {
  const kind = valueKind(there.value);
  on.visit(there);
  on.visit(put);
  if (kind !== valueKind(put.value)) {
    on.onClash(there, put);
    return there;
  }
  if (kind === "a plain value") return put;
  if (kind === "a list") return listOf(there, [...tracedChildren(there).values(), ...tracedChildren(put).values()]);
  const parts = tracedChildren(there);
  for (const [key, part] of tracedChildren(put)) {
    const before = parts.get(key);
    parts.set(key, before === undefined ? part : mergeTraced(before, part, on));
  }
  return objectOf(there, parts);
}

/** Returns a list with one more item. */
export function appendTraced(list: TracedValue, item: TracedValue): TracedValue {
  return listOf(list, [...tracedChildren(list).values(), item]);
}

/**
 * Changes the parts at these paths, each once and from the outside in. A part is removed if `change` returns
 * `undefined`. Paths that do not exist
 * are skipped. Returns `undefined` if the root itself is removed.
 */
export function updateTracedAt(
  graft: TracedValue,
  places: readonly (readonly string[])[],
  changing: { readonly change: (part: TracedValue) => TracedValue | undefined; readonly visit: OnVisit },
): TracedValue | undefined {
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
  const parts = tracedChildren(here);
  for (const [key, rest] of inside) {
    const part = parts.get(key);
    const next = part && updateTracedAt(part, rest, changing);
    if (next === undefined) parts.delete(key);
    else parts.set(key, next);
  }
  return Array.isArray(here.value) ? listOf(here, [...parts.values()]) : objectOf(here, parts);
}

/** Returns the source of the node at these keys, or of its nearest existing ancestor. */
export function traceAt(written: SourceTrace, keys: readonly string[]): SourceTrace {
  let here = written;
  for (const key of keys) {
    if (here.parts !== undefined && !here.parts.has(key)) return here;
    here = stepInto(here, key);
  }
  return here;
}

export function traceOrigin({ file, tokens }: SourceTrace): SourceRef {
  return { file: file.name, pointer: formatPointer(tokens) };
}

function stepInto({ file, tokens, parts }: SourceTrace, key: string): SourceTrace {
  return parts?.get(key) ?? { file, tokens: [...tokens, key] };
}

/** Returns an object with these parts, in the place of another one. */
export function objectOf({ source }: TracedValue, parts: ReadonlyMap<string, TracedValue>): TracedValue {
  // Unlike an assignment, `fromEntries` creates an own key `__proto__`.
  const value: unknown = Object.fromEntries([...parts].map(([key, part]) => [key, part.value] as const));
  return { value, source: { ...source, parts: new Map([...parts].map(([key, part]) => [key, part.source])) } };
}

function listOf({ source }: TracedValue, items: readonly TracedValue[]): TracedValue {
  const parts = new Map(items.map((item, index) => [String(index), item.source] as const));
  return { value: items.map((item) => item.value), source: { ...source, parts } };
}
