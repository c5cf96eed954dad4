import { isObject } from "@plumbline/server-runtime/validator";
import type { Json } from "../suite.js";

export { isObject };

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text unchanged, other values as JSON. */
export function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** JSON for messages, truncated to a number of characters. */
export function formatJson(value: Json | undefined, most = 300): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}
