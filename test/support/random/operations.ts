import * as fc from "fast-check";
import { hostileTexts, oddName, oddToken, prose } from "./names.js";
import { oddValue, schemaOf, type Json } from "./schemas.js";

const schema = schemaOf(2, "any");
const smallSchema = schemaOf(1, "any");

const mediaType = fc.constantFrom(
  "application/json",
  "application/json;stream=watch",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/vnd.pets.v1+json",
  "application/vnd.pets+json;version=2",
  "application/problem+json",
  "application/merge-patch+json",
  "application/json-patch+json",
  "text/plain",
  "text/csv",
  "text/html; charset=utf-8",
  "text/event-stream",
  "application/x-ndjson",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/mixed",
  "application/octet-stream",
  "image/png",
  "image/*",
  "*/*",
  "application/*",
  "text/*",
);

export const example = fc.record({ summary: prose, description: prose, value: oddValue }, { requiredKeys: ["value"] });
const examples = fc.dictionary(oddName, example, { maxKeys: 2, noNullPrototype: true });

export const header = fc.record(
  { description: prose, required: fc.boolean(), deprecated: fc.boolean(), schema: smallSchema, example: oddValue },
  { requiredKeys: ["schema"] },
);
export const headers = fc.dictionary(oddToken, header, { maxKeys: 2, noNullPrototype: true });

const encoding = fc.record(
  {
    contentType: fc.constantFrom("application/json", "image/png, image/jpeg", "text/plain", "*/*"),
    style: fc.constantFrom("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    explode: fc.boolean(),
    allowReserved: fc.boolean(),
    headers,
  },
  { requiredKeys: [] },
);

/** Encodings are of the first properties, where there are some. */
const media = fc
  .record({ schema, example: oddValue, examples, encoding }, { requiredKeys: [] })
  .map(({ encoding: of, ...rest }): Json => {
    const key = Object.keys(rest.schema?.["properties"] ?? {})[0];
    return { ...rest, ...(of !== undefined && key !== undefined ? { encoding: { [key]: of } } : {}) };
  });

const content = fc.dictionary(mediaType, media, { maxKeys: 3, noNullPrototype: true });

const places = {
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  path: ["simple", "label", "matrix"],
  header: ["simple"],
  cookie: ["form"],
} as const;

function parametersOf(place: keyof typeof places, name: fc.Arbitrary<string>): fc.Arbitrary<Json> {
  const keywords = {
    description: prose,
    required: fc.boolean(),
    deprecated: fc.boolean(),
    allowEmptyValue: fc.boolean(),
    example: oddValue,
    "x-odd": oddValue,
  };
  const styled = {
    ...keywords,
    style: fc.constantFrom(...places[place]),
    explode: fc.boolean(),
    allowReserved: fc.boolean(),
    schema: smallSchema,
    examples,
  };
  const serialized = { ...keywords, content: media.map((each) => ({ "application/json": each })) };
  return fc
    .tuple(
      name,
      fc.oneof(
        { weight: 5, arbitrary: fc.record(styled, { requiredKeys: ["schema"] }).map((each): Json => each) },
        { weight: 1, arbitrary: fc.record(serialized, { requiredKeys: ["content"] }).map((each): Json => each) },
      ),
    )
    .map(([own, others]) => ({ name: own, in: place, ...others, ...(place === "path" ? { required: true } : {}) }));
}

export const parameter = fc.oneof(
  { weight: 4, arbitrary: parametersOf("query", oddToken) },
  { weight: 1, arbitrary: parametersOf("header", oddToken) },
  { weight: 1, arbitrary: parametersOf("cookie", oddToken) },
);

export const pathParameter = parametersOf(
  "path",
  fc.constantFrom("id", "petId", "pet_id", "pet-id", "type", "default", "class", "1", "Pet"),
);

const status = fc.constantFrom(
  "200",
  "201",
  "202",
  "204",
  "206",
  "299",
  "301",
  "304",
  "400",
  "404",
  "409",
  "418",
  "429",
  "500",
  "599",
  "2XX",
  "4XX",
  "5XX",
  "default",
  "204 NO_CONTENT",
  "1XX",
  "4xx",
);

const link = fc.record(
  { operationId: fc.constant("linked"), description: prose, parameters: fc.constant({ id: "$response.body#/id" }) },
  { requiredKeys: ["operationId"] },
);

export const response = fc.record(
  { description: prose, headers, content, links: fc.dictionary(oddName, link, { maxKeys: 1, noNullPrototype: true }) },
  { requiredKeys: ["description"] },
);

export const security = fc.array(
  fc.dictionary(
    fc.constantFrom("key", "token", "basic", "oauth", "oidc", "mutual", "cookie", "query"),
    fc.constantFrom<readonly string[]>([], ["read"], ["read", "write:pets"]),
    { maxKeys: 2, noNullPrototype: true },
  ),
  { maxLength: 3 },
);

export const body = fc.record({ description: prose, required: fc.boolean(), content }, { requiredKeys: ["content"] });

const simple = fc
  .record(
    {
      operationId: oddName,
      tags: fc.array(fc.oneof(oddName, fc.constantFrom(...hostileTexts)), { maxLength: 2 }),
      summary: prose,
      description: prose,
      deprecated: fc.boolean(),
      parameters: fc.uniqueArray(parameter, {
        maxLength: 4,
        selector: (each) => `${String(each["in"])} ${String(each["name"]).toLowerCase()}`,
      }),
      requestBody: body,
      responses: fc.dictionary(status, response, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      security,
      servers: fc.constantFrom([{ url: "https://other.example/v2" }], [{ url: "/relative" }]),
      "x-odd": oddValue,
    },
    { requiredKeys: ["responses"] },
  )
  .map((each): Json => each);

const callback = fc
  .tuple(oddName, simple)
  .map(([name, operation]) => ({ [name]: { "{$request.body#/callbackUrl}": { post: operation } } }));

export const operation: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: simple },
  { weight: 1, arbitrary: fc.tuple(simple, callback).map(([each, callbacks]): Json => ({ ...each, callbacks })) },
);
