import { isJsonObject, valueAt } from "@plumbline/kit/model";
import type { Json } from "../descriptions.js";

/** An operation that is called with its path parameters alone. */
export interface Operation {
  /** Its operationId. */
  readonly name: string;
  /** Such as /pets/{id}. */
  readonly template: string;
  /** The names of the path parameters, in the order of the template. */
  readonly parameters: readonly string[];
  /** Values for them, as TypeScript. */
  readonly values: Readonly<Record<string, string>>;
  readonly takesQuery: boolean;
}

/** The GET operations of a bundled description. Throws if the description has fewer than requested. */
export function getOperations(description: Json, count: number): readonly Operation[] {
  const found = Object.entries(at(description, "paths")).flatMap(([template, item]) => {
    const operation = at(item, "get");
    const name = operation["operationId"];
    // Names with abbreviations, such as listSSHKeys, are spelled differently by each generator.
    if (typeof name !== "string" || /[A-Z]{2}/.test(name)) return [];
    const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
    const stated = [...list(at(item)["parameters"]), ...list(operation["parameters"])].map((each) =>
      followed(description, each),
    );
    const values = parameters.map((parameter) => {
      const schema = at(stated.find((each) => each["name"] === parameter) ?? {}, "schema");
      return [parameter, followed(description, schema)["type"] === "integer" ? "1" : '"a"'] as const;
    });
    const takesQuery = stated.some((each) => each["in"] === "query");
    return [{ name, template, parameters, values: Object.fromEntries(values), takesQuery }];
  });
  if (found.length < count) throw new Error(`The description has ${found.length} such operations, not ${count}.`);
  return found.slice(0, count);
}

function at(value: Json, ...keys: readonly string[]): { readonly [key: string]: Json } {
  const found = valueAt(value, keys) as Json | undefined;
  return isJsonObject(found) ? found : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function followed(description: Json, value: Json): { readonly [key: string]: Json } {
  const reference = at(value)["$ref"];
  return typeof reference === "string" ? at(description, ...reference.replace("#/", "").split("/")) : at(value);
}
