import { isJsonArray, isJsonObject, type Json } from "@plumbline/model";
import type { OpenapiDocument } from "./openapi-document.js";

/** Keys of objects whose own keys are names: of properties, paths, media types and so on. A name may begin with `x-`. */
const namedChildren: ReadonlySet<string> = new Set(
  `paths webhooks pathItems schemas responses parameters examples requestBodies headers securitySchemes links callbacks properties
  patternProperties dependentSchemas dependentRequired $defs definitions content encoding variables scopes mapping`.split(
    /\s+/,
  ),
);

/** Keys whose values are JSON of the API, and not of OpenAPI. */
const jsonValues: ReadonlySet<string> = new Set(["example", "default", "const", "enum", "value", "examples"]);

/**
 * Removes all extension fields of a document. Names that begin with `x-`, such as those of headers and properties, and examples stay as they are.
 *
 * @param document - A document of OpenAPI 3.
 * @returns A document that shares its unchanged parts with the other one.
 */
export function withoutExtensionFields(document: OpenapiDocument): OpenapiDocument {
  return withoutExtensions(document) as OpenapiDocument;
}

function withoutExtensions(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutExtensions);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries<Json>(value).filter(([key]) => !key.startsWith("x-"));
  return Object.fromEntries(
    entries.map(([key, each]) => {
      if (key === "components" && isJsonObject(each)) return [key, withoutComponentExtensions(each)] as const;
      if (namedChildren.has(key) && isJsonObject(each)) return [key, mapValues(each, withoutExtensions)] as const;
      return [key, jsonValues.has(key) ? each : withoutExtensions(each)] as const;
    }),
  );
}

/** Each kind of component has its own map of names. */
function withoutComponentExtensions(components: { readonly [key: string]: Json }): Json {
  const kinds = Object.entries<Json>(components).filter(([key]) => !key.startsWith("x-"));
  return mapValues(Object.fromEntries(kinds), (each) =>
    isJsonObject(each) ? mapValues(each, withoutExtensions) : each,
  );
}

function mapValues(value: { readonly [key: string]: Json }, map: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries<Json>(value).map(([key, each]) => [key, map(each)] as const));
}
