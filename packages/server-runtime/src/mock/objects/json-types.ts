import { isArray } from "../../http/index.js";

/** A value as one of these JSON types, where that is plain: a number as a text, a text of digits as a number. Undefined where it is not. */
export function toJsonType(value: unknown, types: readonly string[]): unknown {
  if (types.includes(jsonTypeOf(value))) return value;
  if (typeof value === "number" && types.includes("number")) return value;
  if (typeof value === "number" || typeof value === "boolean")
    return types.includes("string") ? String(value) : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  const isShown = types.includes("number") || (types.includes("integer") && Number.isInteger(number));
  return isShown && Number.isFinite(number) ? number : undefined;
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
