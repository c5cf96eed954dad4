import { valueAt } from "@plumbline/server-runtime/validator";
import type { Json } from "../suite.js";
import { isJsonArray, isJsonObject } from "./json.js";

/** The value at a JSON pointer, or undefined. */
export function resolvePointer(value: Json | undefined, pointer: string): Json | undefined {
  return valueAt(value, parsePointer(pointer)) as Json | undefined;
}

/** The values at a JSON pointer in which `*` is each item or each property. */
export function resolvePointerPattern(value: Json, pattern: string): readonly Json[] {
  return valuesAt(value, pattern.split("/").slice(1));
}

function valuesAt(value: Json, [token, ...rest]: readonly string[]): readonly Json[] {
  if (token === undefined) return [value];
  const key = unescapePointerToken(token);
  const isEach = token === "*" && (isJsonArray(value) || isJsonObject(value));
  if (isEach) return Object.values<Json>(value).flatMap((each) => valuesAt(each, rest));
  return isJsonObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key] ?? null, rest) : [];
}

/** The keys and indices of a JSON pointer. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapePointerToken);
}

export function escapePointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapePointerToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
