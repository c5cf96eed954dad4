import type { SpecNode } from "../../read/spec-node.js";
import { type Filterable, type Schema, pickDefined } from "@plumbline/model";
import { readStrings } from "../plain-data.js";

/** Allows null beside a schema. Annotations stay outside of the union. */
export function nullableSchema(schema: Schema): Schema {
  const { title, description, deprecated, default: initial, examples, origin, ...rest } = schema;
  const about = {
    ...pickDefined("title", title),
    ...pickDefined("description", description),
    ...pickDefined("deprecated", deprecated),
  };
  const values = { ...pickDefined("default", initial), ...pickDefined("examples", examples) };
  return {
    types: [],
    anyOf: [
      { ...rest, origin },
      { types: ["null"], origin },
    ],
    ...about,
    ...values,
    origin,
  };
}

/** Reads title, description and deprecation. */
export function readAnnotations(place: SpecNode): Partial<Schema> {
  return {
    ...pickDefined("title", place.text("title")),
    ...pickDefined("description", place.text("description")),
    ...pickDefined("deprecated", place.isTrue("deprecated") ? (true as const) : undefined),
  };
}

/** OpenAPI 3.0 ignores keywords beside a reference. Annotations are kept, since they do no harm. */
export function annotationSchema(place: SpecNode): Schema {
  return { types: [], ...readAnnotations(place), origin: place.origin };
}

/** Reads `x-filterable`. */
export function readFilterable(place: SpecNode): Filterable | undefined {
  if (place.isTrue("x-filterable")) return {};
  const operators = place.get("x-filterable")?.get("operators");
  return operators && { operators: readStrings(operators) };
}
