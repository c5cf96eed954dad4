import type { ErrorObject } from "ajv/dist/2020.js";
import { formatJson, isRecord } from "../values/json.js";
import { escapePointerToken } from "../values/json-pointer.js";
import { schemasOfSameValue } from "./requirement-attribution.js";
import type { Json } from "../suite.js";

/** Formats an ajv error as a message, without a full stop. */
export function formatAjvError(error: ErrorObject): string {
  const { instancePath, params, keyword } = error;
  const field = fieldOf(error);
  if (isUnexpectedProperty(error)) return `${instancePath}/${field} is not documented`;
  if (keyword === "required") return `${instancePath}/${field} is missing`;
  const place = instancePath === "" ? "The value" : instancePath;
  if (keyword === "false schema") return `${place} is present`;
  if (keyword === "const") return `${place} is not ${formatJson(error.schema as Json)}`;
  if (keyword === "enum") return `${place} is not one of ${formatJson(error.schema as Json)}`;
  return `${place} ${error.message ?? `does not match ${keyword} ${formatJson(params as Json)}`}`;
}

/** The expected value. */
export function formatExpected(error: ErrorObject, resolve: (ref: string) => unknown): string {
  if (error.keyword === "false schema") return "no such value";
  if (error.keyword === "required") return `the field ${fieldOf(error)}`;
  if (!isUnexpectedProperty(error)) return `${error.keyword}: ${formatJson(error.schema as Json)}`;
  const fields = listedFields(error.parentSchema, resolve, new Set());
  return fields.size === 0 ? "no fields" : `only the documented fields: ${[...fields].join(", ")}`;
}

/** True for an undocumented field. */
export function isUnexpectedProperty({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

/** The missing or undocumented field, as a JSON pointer token. */
function fieldOf({ params }: ErrorObject): string {
  const name: unknown =
    params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"] ?? "";
  return escapePointerToken(String(name));
}

/** The fields that a schema lists, itself or through `$ref` and `allOf`. */
function listedFields(schema: unknown, resolve: (ref: string) => unknown, seen: Set<unknown>): ReadonlySet<string> {
  if (!isRecord(schema) || seen.has(schema)) return new Set();
  seen.add(schema);
  const own = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return new Set([
    ...own,
    ...schemasOfSameValue(schema, resolve).flatMap((each) => [...listedFields(each, resolve, seen)]),
  ]);
}
