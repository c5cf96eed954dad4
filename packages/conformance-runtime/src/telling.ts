import type { ErrorObject } from "ajv/dist/2020.js";
import { isNode } from "./closed.js";
import { shown } from "./json.js";
import { inPlace } from "./sources.js";
import type { Json } from "./suite.js";

/** A mistake of a value in plain words, without a full stop. */
export function sayingOf(error: ErrorObject): string {
  const { instancePath, params, keyword } = error;
  const field = fieldOf(error);
  if (isExtra(error)) return `${instancePath}/${field} is not described`;
  if (keyword === "required") return `${instancePath}/${field} is missing`;
  const place = instancePath === "" ? "The value" : instancePath;
  if (keyword === "false schema") return `${place} is there`;
  if (keyword === "const") return `${place} is not ${shown(error.schema as Json)}`;
  if (keyword === "enum") return `${place} is none of ${shown(error.schema as Json)}`;
  return `${place} ${error.message ?? `does not hold to ${keyword} ${shown(params as Json)}`}`;
}

/** What there should have been. */
export function expectedOf(error: ErrorObject, resolve: (ref: string) => unknown): string {
  if (error.keyword === "false schema") return "no such value";
  if (error.keyword === "required") return `the field ${fieldOf(error)}`;
  if (!isExtra(error)) return `${error.keyword}: ${shown(error.schema as Json)}`;
  const fields = listedFields(error.parentSchema, resolve, new Set());
  return fields.size === 0 ? "no fields" : `only the described fields: ${[...fields].join(", ")}`;
}

/** True when a field is there that should not be. */
export function isExtra({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

/** The field that is missing or too much, as a pointer has it. */
function fieldOf({ params }: ErrorObject): string {
  const name: unknown =
    params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"] ?? "";
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Those that a schema names, itself or in what it refers to and is made of. */
function listedFields(schema: unknown, resolve: (ref: string) => unknown, seen: Set<unknown>): ReadonlySet<string> {
  if (!isNode(schema) || seen.has(schema)) return new Set();
  seen.add(schema);
  const own = isNode(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return new Set([...own, ...inPlace(schema, resolve).flatMap((each) => [...listedFields(each, resolve, seen)])]);
}
