import type { Json } from "../suite.js";

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a JSON pointer, or undefined. */
export function resolvePointer(value: Json | undefined, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonArray(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
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
