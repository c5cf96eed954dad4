// @ts-check
import { defineGenerator } from "@plumbline/codegen";

/** @import { Api, Json, Operation, Parameter, RequestBody, Schema, SecurityScheme } from "@plumbline/codegen" */

/** A Postman collection, v2.1: a folder per tag, a request per operation, the address and the credential as variables. */
export default defineGenerator({
  files(api) {
    const scheme = schemeOf(api);
    const collection = {
      info: {
        name: api.title,
        ...(api.description === undefined ? {} : { description: api.description }),
        version: api.version,
        schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
      },
      auth: authOf(scheme),
      variable: [
        { key: "baseUrl", value: api.servers[0]?.url ?? "", type: "string" },
        ...(scheme === undefined ? [] : [{ key: "token", value: "", type: "secret" }]),
      ],
      item: [...new Set(api.operations.map(({ tag }) => tag))].map((tag) => ({
        name: tag,
        item: api.operations.filter((each) => each.tag === tag).map((operation) => itemOf(operation, api)),
      })),
    };
    return [{ path: "collection.json", text: JSON.stringify(collection) }];
  },
});

/** @param {Operation} operation @param {Api} api */
function itemOf(operation, api) {
  const { name, method, summary, description, security, requestBody } = operation;
  return {
    name: summary ?? name,
    request: {
      method,
      ...(description === undefined ? {} : { description }),
      // An operation that allows anonymous calls gets no credential.
      ...(security.every((needed) => needed.length > 0) && security.length > 0 ? {} : { auth: { type: "noauth" } }),
      header: [
        ...headersOf(operation),
        ...(contentOf(requestBody)?.mediaType === json ? [{ key: "Content-Type", value: json }] : []),
      ],
      url: urlOf(operation, api),
      ...(requestBody === undefined ? {} : { body: bodyOf(requestBody, api) }),
    },
    response: [],
  };
}

/** @param {Operation} operation @param {Api} api */
function urlOf({ path, parameters }, api) {
  // Postman has path variables for complete segments only; a part of one becomes an ordinary variable.
  const segments = path
    .slice(1)
    .split("/")
    .map((each) => each.replace(/^\{([^{}]+)\}$/, ":$1").replaceAll(/\{([^{}]+)\}/g, "{{$1}}"));
  const inPath = parameters.filter((each) => each.in === "path" && segments.includes(`:${each.name}`));
  const inQuery = parameters.filter((each) => each.in === "query");
  return {
    raw: `{{baseUrl}}/${segments.join("/")}`,
    host: ["{{baseUrl}}"],
    path: segments,
    query: inQuery.map((each) => ({ ...valueOf(each, api), disabled: !each.required })),
    variable: inPath.map((each) => valueOf(each, api)),
  };
}

/** @param {Operation} operation */
function headersOf({ parameters }) {
  return parameters
    .filter((each) => each.in === "header")
    .map((each) => ({ key: each.name, value: "", disabled: !each.required }));
}

/** @param {Parameter} parameter @param {Api} api */
function valueOf({ name, description, schema }, api) {
  const value = exampleOf(schema, api, 0);
  return {
    key: name,
    value: typeof value === "object" ? JSON.stringify(value) : String(value),
    ...(description === undefined ? {} : { description }),
  };
}

const json = "application/json";

/** @param {RequestBody | undefined} body */
function contentOf(body) {
  return body?.contents.find((each) => each.mediaType === json) ?? body?.contents[0];
}

/** @param {RequestBody} body @param {Api} api */
function bodyOf(body, api) {
  const content = contentOf(body);
  if (content?.mediaType !== json) return { mode: "file", file: { src: "" } };
  const example = content.example ?? exampleOf(content.schema, api, 0);
  return { mode: "raw", raw: JSON.stringify(example, undefined, 2), options: { raw: { language: "json" } } };
}

/**
 * A sample value: the example of the description, or the smallest valid value.
 *
 * @param {Schema} schema
 * @param {Api} api
 * @param {number} depth
 * @returns {Json}
 */
function exampleOf(schema, api, depth) {
  const given = schema.const ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (depth > 5) return null; // a schema that holds itself has no end
  const named = api.schemas.find((each) => each.name === schema.ref)?.schema;
  const parts = [named, ...(schema.allOf ?? []), schema.anyOf?.[0], schema.oneOf?.[0]].filter(
    (part) => part !== undefined,
  );
  const inside = parts.map((part) => exampleOf(part, api, depth + 1));
  const [first] = inside;
  if (schema.properties === undefined && first !== undefined && !inside.every(isObject)) return first;
  if (schema.properties !== undefined || parts.length > 0) {
    const own = (schema.properties ?? [])
      .filter((each) => each.required)
      .map((each) => /** @type {const} */ ([each.name, exampleOf(each.schema, api, depth + 1)]));
    return Object.assign({}, ...inside.filter(isObject), Object.fromEntries(own));
  }
  const type = schema.types.find((each) => each !== "null") ?? "object";
  const empty = {
    array: [],
    boolean: true,
    integer: schema.minimum ?? 1,
    number: schema.minimum ?? 1,
    null: null,
    object: {},
    string: "",
  };
  return empty[type];
}

/** @param {Json} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The scheme that most operations require. @param {Api} api */
function schemeOf({ operations, securitySchemes }) {
  const asked = operations.flatMap(({ security }) => security.flat().map((each) => each.scheme));
  const count = (/** @type {SecurityScheme} */ { name }) => asked.filter((each) => each === name).length;
  return securitySchemes.toSorted((a, b) => count(b) - count(a))[0];
}

/** @param {SecurityScheme | undefined} scheme */
function authOf(scheme) {
  switch (scheme?.kind) {
    case undefined:
      return { type: "noauth" };
    case "basic":
      return { type: "basic", basic: [{ key: "password", value: "{{token}}", type: "string" }] };
    case "apiKey":
      return {
        type: "apikey",
        apikey: [
          { key: "key", value: scheme.key, type: "string" },
          { key: "value", value: "{{token}}", type: "string" },
          { key: "in", value: scheme.in, type: "string" },
        ],
      };
    default:
      return { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] };
  }
}
