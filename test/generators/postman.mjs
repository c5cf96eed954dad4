// @ts-check
import { definePlumblineGenerator } from "@plumbline/generators";

/** @import { Api, Body, Json, Operation, Parameter, SecurityScheme, Shape } from "@plumbline/generators" */

/** A Postman collection, v2.1: a folder an area, a request an operation, the address and the credential as variables. */
export default definePlumblineGenerator({
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
      item: [...new Set(api.operations.map(({ area }) => area))].map((area) => ({
        name: area,
        item: api.operations.filter((each) => each.area === area).map((operation) => itemOf(operation, api)),
      })),
    };
    return [{ path: "collection.json", text: JSON.stringify(collection) }];
  },
});

/** @param {Operation} operation @param {Api} api */
function itemOf(operation, api) {
  const { name, method, summary, description, security, body } = operation;
  return {
    name: summary ?? name,
    request: {
      method,
      ...(description === undefined ? {} : { description }),
      // Where somebody may call without a credential, none is sent.
      ...(security.every((needed) => needed.length > 0) && security.length > 0 ? {} : { auth: { type: "noauth" } }),
      header: [
        ...headersOf(operation),
        ...(contentOf(body)?.mediaType === json ? [{ key: "Content-Type", value: json }] : []),
      ],
      url: urlOf(operation, api),
      ...(body === undefined ? {} : { body: bodyOf(body, api) }),
    },
    response: [],
  };
}

/** @param {Operation} operation @param {Api} api */
function urlOf({ path, parameters }, api) {
  // Postman has variables for whole segments only; of a part it is told as of its own variables.
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
function valueOf({ name, description, shape }, api) {
  const value = exampleOf(shape, api, 0);
  return {
    key: name,
    value: typeof value === "object" ? JSON.stringify(value) : String(value),
    ...(description === undefined ? {} : { description }),
  };
}

const json = "application/json";

/** @param {Body | undefined} body */
function contentOf(body) {
  return body?.contents.find((each) => each.mediaType === json) ?? body?.contents[0];
}

/** @param {Body} body @param {Api} api */
function bodyOf(body, api) {
  const content = contentOf(body);
  if (content?.mediaType !== json) return { mode: "file", file: { src: "" } };
  const example = content.example ?? exampleOf(content.shape, api, 0);
  return { mode: "raw", raw: JSON.stringify(example, undefined, 2), options: { raw: { language: "json" } } };
}

/**
 * A value to begin with: what the description gives as an example, or the least that is allowed.
 *
 * @param {Shape} shape
 * @param {Api} api
 * @param {number} depth
 * @returns {Json}
 */
function exampleOf(shape, api, depth) {
  const given = shape.const ?? shape.examples?.[0] ?? shape.default ?? shape.enum?.[0];
  if (given !== undefined) return given;
  if (depth > 5) return null; // a shape that holds itself has no end
  const named = api.shapes.find((each) => each.name === shape.ref)?.shape;
  const parts = [named, ...(shape.allOf ?? []), shape.anyOf?.[0], shape.oneOf?.[0]].filter(
    (part) => part !== undefined,
  );
  const inside = parts.map((part) => exampleOf(part, api, depth + 1));
  const [first] = inside;
  if (shape.properties === undefined && first !== undefined && !inside.every(isObject)) return first;
  if (shape.properties !== undefined || parts.length > 0) {
    const own = (shape.properties ?? [])
      .filter((each) => each.required)
      .map((each) => /** @type {const} */ ([each.name, exampleOf(each.shape, api, depth + 1)]));
    return Object.assign({}, ...inside.filter(isObject), Object.fromEntries(own));
  }
  const type = shape.types.find((each) => each !== "null") ?? "object";
  const empty = {
    array: [],
    boolean: true,
    integer: shape.minimum ?? 1,
    number: shape.minimum ?? 1,
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

/** The scheme that most operations ask for. @param {Api} api */
function schemeOf({ operations, schemes }) {
  const asked = operations.flatMap(({ security }) => security.flat().map((each) => each.scheme));
  const count = (/** @type {SecurityScheme} */ { name }) => asked.filter((each) => each === name).length;
  return schemes.toSorted((a, b) => count(b) - count(a))[0];
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
