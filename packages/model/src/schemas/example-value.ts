import type { Api, Json, JsonType, Schema } from "../api.js";
import { isJsonObject } from "../json-values.js";
import { schemasByName } from "./schemas-by-name.js";

/**
 * Returns an example of a schema, for documentation: the first example, constant, default or enum value of the description, otherwise a small
 * value with the required properties. Patterns and conditions are not solved, so a value without an example may break them.
 *
 * @example
 * ```ts
 * const body = content.example ?? createExampleValue(api, content.schema);
 * ```
 */
export function createExampleValue(api: Api, schema: Schema): Json {
  return exampleOf(api, schema, []);
}

function exampleOf(api: Api, schema: Schema, within: readonly string[]): Json {
  const stated = schema.const ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (stated !== undefined) return stated;
  if (schema.ref !== undefined && within.includes(schema.ref)) return null; // a schema that requires itself has no end
  const inner = schema.ref === undefined ? within : [...within, schema.ref];
  const parts = [
    schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref),
    ...(schema.allOf ?? []),
    schema.anyOf?.[0],
    schema.oneOf?.[0],
  ].flatMap((part) => (part === undefined ? [] : [exampleOf(api, part, inner)]));
  const other = parts.find((part) => !isJsonObject(part));
  if (other !== undefined && schema.properties === undefined) return other;
  if (parts.length > 0 || schema.properties !== undefined) {
    const own = (schema.properties ?? [])
      .filter(({ required }) => required)
      .map((each) => [each.name, exampleOf(api, each.schema, inner)] as const);
    // Object.fromEntries creates own properties, also of the name `__proto__`.
    return Object.fromEntries([...parts.flatMap(entriesOf), ...own]);
  }
  const type = schema.types.find((each) => each !== "null") ?? schema.types[0] ?? "object";
  return smallestValues[type](schema, (item) => exampleOf(api, item, inner));
}

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries<Json>(value) : [];
}

const smallestValues = {
  null: () => null,
  boolean: () => true,
  integer: ({ minimum = 1 }) => Math.ceil(minimum),
  number: ({ minimum = 1 }) => minimum,
  string: ({ format = "", minLength = 0 }) =>
    formatExamples[format] ?? "x".repeat(Math.min(minLength, maxFillCharacters)),
  array: ({ items, minItems = 0 }, example) => (items === undefined || minItems === 0 ? [] : [example(items)]),
  object: () => ({}),
} as const satisfies Record<JsonType, (schema: Schema, example: (item: Schema) => Json) => Json>;

const maxFillCharacters = 100; // an example is for readers

const formatExamples: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "ann@example.com",
  hostname: "host.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  time: "12:00:00Z",
  uri: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};
