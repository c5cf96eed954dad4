import { isJsonArray, isJsonObject, type Json, valueAt } from "../../model/index.js";

/** A part of an OpenAPI document. */
export type JsonObject = Readonly<Record<string, Json>>;

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asList(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return Object.entries(asObject(value) ?? {});
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function referenceOf(value: Json | undefined): string | undefined {
  return textOf(asObject(value)?.["$ref"]);
}

/** The JSON pointer of a part: `#/components/schemas/Pet`. */
export function joinPointer(start: string, ...segments: readonly (string | number)[]): string {
  return [start, ...segments.map((each) => String(each).replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

/** The segments of a reference. Undefined for one that leads outside of the document. */
export function segmentsOf(reference: string): readonly string[] | undefined {
  const [file, pointer] = reference.split("#");
  if (file !== "" || pointer === undefined || !pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((each) => decode(each).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A chain of references that is longer leads in a circle. */
const maxReferences = 100;

/** The part that a reference leads to. Undefined where there is none. */
export function resolveReference(document: JsonObject, reference: string): Json | undefined {
  let value: Json | undefined;
  let next: string | undefined = reference;
  for (let count = 0; next !== undefined; count += 1) {
    const segments = segmentsOf(next);
    if (segments === undefined || count > maxReferences) return undefined;
    value = valueAt(document, segments) as Json | undefined;
    next = referenceOf(value);
  }
  return value;
}

/** The part itself, or what it refers to. */
export function resolvePart(document: JsonObject, part: Json | undefined): JsonObject | undefined {
  const reference = referenceOf(part);
  return asObject(reference === undefined ? part : resolveReference(document, reference));
}
