import { isJsonObject } from "../../../model/index.js";
import { parsePointer } from "../spec-node.js";
import type { SwaggerNode } from "./parameters.js";

/** Converts a schema, with the schemas in it. What is not as Swagger requires stays as it is, for the linter to report. */
export function convertSwaggerSchema(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  if (typeof schema["$ref"] === "string") return convertReference(schema);
  const { "x-nullable": nullable, discriminator, ...rest } = schema;
  const entries = Object.entries(rest).map(([key, value]) => [key, convertKeyword(key, value)] as const);
  return {
    ...Object.fromEntries(entries),
    ...(schema["type"] === "file" && { type: "string", format: "binary" }),
    ...(typeof nullable === "boolean"
      ? nullable && { nullable }
      : "x-nullable" in schema && { "x-nullable": nullable }),
    ...("discriminator" in schema && {
      discriminator: typeof discriminator === "string" ? { propertyName: discriminator } : discriminator,
    }),
  };
}

/** Converts the named schemas, and the discriminators that tell which of them a value is. */
export function convertDefinitions(definitions: unknown): unknown {
  if (!isJsonObject(definitions)) return definitions;
  const mappings = discriminatorMappings(definitions);
  const entries = Object.entries(definitions).map(([name, schema]) => {
    const converted = convertSwaggerSchema(schema);
    const mapping = mappings.get(name);
    if (mapping === undefined || !isJsonObject(converted) || !isJsonObject(converted["discriminator"]))
      return [name, converted] as const;
    return [name, { ...converted, discriminator: { ...converted["discriminator"], mapping } }] as const;
  });
  return Object.fromEntries(entries);
}

/** Points a reference within the file at where the conversion puts its target. */
export function convertReference(node: SwaggerNode): SwaggerNode {
  const { $ref: reference } = node;
  if (typeof reference !== "string") return node;
  const [, kind = "", rest = ""] = /^#\/(definitions|parameters|responses)(\/.*)$/s.exec(reference) ?? [];
  return kind === "" ? node : { ...node, $ref: `#/components/${kind === "definitions" ? "schemas" : kind}${rest}` };
}

export function mapValues(value: unknown, convert: (item: unknown, key: string) => unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item, key)] as const));
}

function convertKeyword(keyword: string, value: unknown): unknown {
  if (keyword === "properties") return mapValues(value, convertSwaggerSchema);
  if (!schemaKeywords.has(keyword)) return value;
  return Array.isArray(value) ? value.map(convertSwaggerSchema) : convertSwaggerSchema(value);
}

/** Swagger has the first three. Descriptions that use the others mean schemas, too. */
const schemaKeywords: ReadonlySet<string> = new Set([
  "items",
  "allOf",
  "additionalProperties",
  "anyOf",
  "oneOf",
  "not",
]);

/**
 * In Swagger the value of a discriminator is the name of a definition, as in OpenAPI 3. Azure's descriptions name other
 * values in an extension field. Returns them by the name of the definition with the discriminator.
 */
function discriminatorMappings(definitions: SwaggerNode): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const mappings = new Map<string, Record<string, string>>();
  for (const [name, schema] of Object.entries(definitions)) {
    const value = isJsonObject(schema)
      ? (schema["x-ms-discriminator-value"] ?? schema["x-discriminator-value"])
      : undefined;
    if (typeof value !== "string") continue;
    const token = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
    for (const parent of ancestorsOf(name, definitions))
      mappings.set(parent, { ...mappings.get(parent), [value]: `#/components/schemas/${token}` });
  }
  return mappings;
}

/** The names of a definition and of those that it includes with `allOf`. */
function ancestorsOf(name: string, definitions: SwaggerNode): ReadonlySet<string> {
  const names = new Set([name]);
  for (const each of names) {
    const schema = definitions[each];
    const parts: unknown = isJsonObject(schema) ? schema["allOf"] : undefined;
    for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
      const reference = isJsonObject(part) ? part["$ref"] : undefined;
      const [kind, parent] = (typeof reference === "string" && parsePointer(reference.replace(/^#/, ""))) || [];
      if (kind === "definitions" && parent !== undefined && Object.hasOwn(definitions, parent)) names.add(parent);
    }
  }
  return names;
}
