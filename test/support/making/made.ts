import type { Json } from "../model.js";

/** A valid value, and ways to violate exactly one constraint. */
export interface Made {
  readonly value: Json;
  readonly breaks: () => readonly Break[];
}

export interface Break {
  /** The broken field: names and indexes joined by dots, empty for the value itself. */
  readonly field: string;
  readonly kind: Kind;
  /** The complete broken value. */
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

/** Kinds without a keyword of JSON Schema. */
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

/** The same break, in a value that contains this one under a key. */
export function within(key: string | number, each: Break, put: (broken: Json) => Json): Break {
  return {
    field: each.field === "" ? String(key) : `${key}.${each.field}`,
    kind: each.kind,
    value: () => put(each.value()),
  };
}
