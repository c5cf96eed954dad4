import { isJsonObject } from "@plumbline/kit/model";
import { resolveReference, operationsOf, schemasWithin, withoutCounted, type DocumentNode } from "./description.js";

/**
 * Converts one operation to OpenAPI 3.0, the newest version that Dredd reads. It drops what 3.0 cannot express, and also optional
 * parameters and examples, since Dredd would build requests of them and its hooks set them.
 */
export function toOpenApi30(document: DocumentNode, name: string): DocumentNode {
  const found = operationsOf(document).get(name);
  if (found === undefined) throw new Error(`The description has no operation ${name}.`);
  const { path, method, operation } = found;
  const parameters = [...found.parameters, ...listOf(operation["parameters"])]
    .map((each) => resolveReference(each, document))
    .filter((each) => each["in"] === "path")
    // The value does not matter: hooks replace it.
    .map((each) => ({ name: each["name"], in: "path", required: true, example: "1", schema: { type: "string" } }));
  const responses = Object.fromEntries(
    Object.entries(operation["responses"] as DocumentNode)
      // A transaction cannot expect a range or `default`.
      .filter(([status]) => /^\d{3}$/.test(status))
      .map(([status, response]) => [status, replyOf(resolveReference(response, document), document)]),
  );
  const body = resolveReference(operation["requestBody"], document);
  const named = Object.entries(schemasWithin([responses, body], document));
  return {
    openapi: "3.0.3",
    info: { title: "One operation", version: "1.0.0" },
    paths: {
      [path]: {
        [method]: {
          operationId: name,
          summary: name,
          parameters,
          ...(isJsonObject(body["content"]) ? { requestBody: { content: contentOf(body["content"]) } } : {}),
          responses,
        },
      },
    },
    components: { schemas: Object.fromEntries(named.map(([key, schema]) => [key, schemaOf(schema)])) },
  };
}

/** The complete schema of an operation's JSON response, for a hook to validate with, as draft 7: the newest that Dredd reads. */
export function responseSchemas(document: DocumentNode, name: string): Readonly<Record<string, DocumentNode>> {
  const responses = operationsOf(document).get(name)?.operation["responses"];
  if (!isJsonObject(responses)) return {};
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, given]) => {
      const content = resolveReference(given, document)["content"];
      const schema = isJsonObject(content) && isJsonObject(content[json]) ? content[json]["schema"] : undefined;
      return schema === undefined ? [] : [[status, wholeSchema(schema, document)]];
    }),
  );
}

const json = "application/json";

function wholeSchema(schema: unknown, document: DocumentNode): DocumentNode {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    // Draft 7 ignores siblings of a reference.
    allOf: [besideReferences(schema)],
    components: { schemas: besideReferences(schemasWithin(schema, document)) },
  };
}

/** Draft 7 ignores siblings of a reference, so the reference moves into `allOf`. */
function besideReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(besideReferences);
  if (!isJsonObject(value)) return value;
  const { $ref, ...rest } = Object.fromEntries(
    Object.entries(withoutCounted(value))
      .filter(([key, each]) => key !== "format" || formats.has(String(each)))
      .map(([key, each]) => [key, besideReferences(each)]),
  );
  if (typeof $ref !== "string") return $ref === undefined ? rest : { ...rest, $ref };
  return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }, ...listOf(rest["allOf"])] };
}

/** The formats that Dredd's validator knows; it rejects a schema with another. */
const formats = new Set(["date-time", "date", "time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "regex"]);

function replyOf(response: DocumentNode, document: DocumentNode): DocumentNode {
  const { description, headers, content } = response;
  const required = Object.entries(isJsonObject(headers) ? headers : {}).flatMap(([name, given]) => {
    const header = resolveReference(given, document);
    return header["required"] === true ? [[name, { required: true, schema: { type: "string" } }]] : [];
  });
  return {
    description,
    ...(required.length > 0 ? { headers: Object.fromEntries(required) } : {}),
    ...(isJsonObject(content) ? { content: contentOf(content) } : {}),
  };
}

function contentOf(content: DocumentNode): DocumentNode {
  return Object.fromEntries(
    Object.entries(content).map(([type, given]) => [
      type,
      isJsonObject(given) && given["schema"] !== undefined ? { schema: schemaOf(given["schema"]) } : {},
    ]),
  );
}

function schemaOf(given: unknown): DocumentNode {
  if (given === true) return {};
  if (!isJsonObject(given)) return { not: {} };
  const { $ref, type, const: only, anyOf, oneOf, allOf, not, properties, items, additionalProperties } = given;
  if (typeof $ref === "string") return { $ref };
  const types = Array.isArray(type) ? (type as readonly unknown[]) : type === undefined ? [] : [type];
  const [first, ...more] = types.filter((each) => each !== "null");
  const choices = listOf(anyOf ?? oneOf);
  const isNull = (each: unknown): boolean => isJsonObject(each) && each["type"] === "null";
  const nullable = types.includes("null") || choices.some(isNull);
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => plain.has(key)));
  return {
    ...kept,
    ...(first !== undefined && more.length === 0 ? { type: first } : {}),
    ...(nullable ? { nullable: true } : {}),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(choices.length === 0 ? {} : { anyOf: choices.filter((each) => !isNull(each)).map(schemaOf) }),
    ...(allOf === undefined ? {} : { allOf: listOf(allOf).map(schemaOf) }),
    ...(not === undefined ? {} : { not: schemaOf(not) }),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, schemaOf(each)])) }
      : {}),
    ...(items === undefined ? (first === "array" ? { items: {} } : {}) : { items: schemaOf(items) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === "boolean" ? additionalProperties : schemaOf(additionalProperties),
        }),
  };
}

/** Keywords with the same meaning in both. */
const plain = new Set([
  "enum",
  "required",
  "minimum",
  "maximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "pattern",
  "format",
]);

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
