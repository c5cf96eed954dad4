import { isJsonArray, isJsonObject, type Json } from "../../model/index.js";
import type { OpenapiDocument } from "./openapi-document.js";

/** Keys of objects whose own keys are names, of which one may begin with `x-`. */
const maps: ReadonlySet<string> = new Set(
  `webhooks pathItems schemas responses parameters examples requestBodies headers securitySchemes links callbacks mediaTypes properties
  patternProperties dependentSchemas dependentRequired $defs definitions content encoding variables scopes mapping`.split(
    /\s+/,
  ),
);

/** Keys whose values are JSON of the API, and not of OpenAPI. */
const jsonValues: ReadonlySet<string> = new Set([
  "example",
  "default",
  "const",
  "enum",
  "value",
  "examples",
  "dataValue",
]);

/**
 * Removes all extension fields of a document. Names that begin with `x-`, such as those of headers and properties, and examples stay as they are.
 * `print.mjs` of a generated description package does the same.
 *
 * @param document - A document of OpenAPI 3.
 * @returns A document that shares its unchanged parts with the other one.
 */
export function withoutExtensionFields(document: OpenapiDocument): OpenapiDocument {
  return withoutExtensions(document, false) as OpenapiDocument;
}

function withoutExtensions(value: Json, isMap: boolean): Json {
  if (isJsonArray(value)) return value.map((each) => withoutExtensions(each, false));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries<Json>(value).filter(([key]) => isMap || !key.startsWith("x-"));
  return Object.fromEntries(
    fields.map(([key, each]) => {
      if (isMap) return [key, withoutExtensions(each, false)] as const;
      if (maps.has(key) && !isJsonArray(each)) return [key, withoutExtensions(each, true)] as const;
      return [key, jsonValues.has(key) ? each : withoutExtensions(each, false)] as const;
    }),
  );
}
