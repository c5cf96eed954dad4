import type { Json } from "@plumbline/conformance-runtime";

/** The member of a response at these keys, or null. */
export function member(value: Json, ...keys: readonly string[]): Json {
  return keys.reduce<Json>((found, key) => (isObject(found) ? (found[key] ?? null) : null), value);
}

/**
 * The text at these keys.
 *
 * @throws when there is none, since an earlier step should have checked the response
 */
export function text(value: Json, ...keys: readonly string[]): string {
  const found = member(value, ...keys);
  if (typeof found !== "string")
    throw new Error(`${keys.join(".")} is not a text. Check it in the step whose response has it.`);
  return found;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
