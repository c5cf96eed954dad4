import type { Json, JsonType } from "./api.js";

/** Whether a value is a JSON object, neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. Unlike `Array.isArray`, it narrows to an array that is only read. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is of a type of JSON Schema. */
export function isOfJsonType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
    case "number":
    case "string":
      return typeof value === type;
  }
}

/** Returns the value at the tokens of a JSON pointer, or undefined if there is none. Only own properties count. */
export function valueAt(value: unknown, tokens: readonly string[]): unknown {
  let current = value;
  for (const token of tokens) {
    if (Array.isArray(current)) current = /^\d+$/.test(token) ? (current[Number(token)] as unknown) : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, token) ? current[token] : undefined;
  }
  return current;
}

/** Returns the value that a table has for a name of a description or a request. Undefined for what every object inherits, such as `constructor`. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns an object with the key if the value is defined, and an empty object otherwise. For optional properties. */
export function pickDefined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}
