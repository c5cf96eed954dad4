import type { Json } from "@plumbline/conformance-runtime";

/** The member of an answer at these keys; null where there is none. */
export function member(value: Json, ...keys: readonly string[]): Json {
  return keys.reduce<Json>((found, key) => (isObject(found) ? (found[key] ?? null) : null), value);
}

/** The text at these keys. Throws where there is none: whoever asks has judged the answer before. */
export function text(value: Json, ...keys: readonly string[]): string {
  const found = member(value, ...keys);
  if (typeof found !== "string") throw new Error(`${keys.join(".")} is no text. Expect it of the step that gives it.`);
  return found;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
