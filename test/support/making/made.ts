import type { Json } from "../model.js";

/** A value that fits, and ways to break exactly one thing about it. */
export interface Made {
  readonly value: Json;
  readonly breaks: () => readonly Break[];
}

export interface Break {
  /** Which field it is that breaks: names and indexes with dots between, empty for the value itself. */
  readonly field: string;
  readonly kind: Kind;
  /** The whole value, broken. */
  readonly value: () => Json;
}

export type Kind =
  | "type"
  | "required"
  | "needs"
  | "never"
  | "name"
  | "value"
  | "too short"
  | "too long"
  | "pattern"
  | "format"
  | "scopes"
  | "too small"
  | "too large"
  | "inexact"
  | "too few"
  | "too many"
  | "not unique"
  | "too long together"
  | "too long as JSON";

/** Kinds that JSON Schema has no words for. */
export const beyondSchemas: ReadonlySet<Kind> = new Set([
  "scopes",
  "inexact",
  "not unique",
  "too long together",
  "too long as JSON",
]);

/** A break of the value itself. */
export function breaking(kind: Kind, value: Json): Break {
  return { field: "", kind, value: () => value };
}

/** The same break, of a value that holds this one under a key. */
export function within(key: string | number, each: Break, put: (broken: Json) => Json): Break {
  return {
    field: each.field === "" ? String(key) : `${key}.${each.field}`,
    kind: each.kind,
    value: () => put(each.value()),
  };
}
