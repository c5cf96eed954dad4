import { isArray, isObject, type Fields } from "../values/json-values.js";
import type { FormPart, SentField } from "./multipart.js";

/**
 * Returns the fields of a form that another parser has read, under the names that they were sent with: `{a: {b: "1"}}` was `a[b]=1`. A part of JSON,
 * which some parsers decode, is a text again.
 *
 * @param declared the fields that may be parts of JSON, by name
 */
export function* sentFields(form: Fields, declared: Fields = {}): Generator<SentField> {
  for (const [name, value] of Object.entries(form))
    for (const each of isArray(value) ? value : [value])
      if (Object.hasOwn(declared, name) && isObject(each) && !isBytes(each)) yield [name, JSON.stringify(each)];
      else yield* leavesOf(name, each);
}

function* leavesOf(name: string, value: unknown): Generator<SentField> {
  if (value === undefined || value === null) return;
  if (isBytes(value))
    yield [name, value instanceof Uint8Array ? { fileName: "blob", bytes: value, isTypeUnknown: true } : value];
  else if (typeof value === "object") {
    for (const [key, each] of Object.entries(value)) yield* leavesOf(`${name}[${key}]`, each);
  } else yield [name, typeof value === "string" ? value : JSON.stringify(value)];
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> | FormPart {
  return value instanceof Uint8Array || (isObject(value) && value["bytes"] instanceof Uint8Array);
}
