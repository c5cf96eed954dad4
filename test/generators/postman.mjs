// @ts-check
import { defineGenerator, groupByTagFile } from "@plumbline/kit/codegen";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import { allowsAnonymous, findPrimaryScheme, preferredContent } from "@plumbline/kit/model";

/** @import { Api, Operation, Parameter, RequestBody, SecurityScheme } from "@plumbline/kit/model" */

const format = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** A Postman collection, v2.1: a folder per tag, a request per operation, the address and the credential as variables. */
export default defineGenerator({
  files(api) {
    const scheme = findPrimaryScheme(api);
    const collection = {
      info: { name: api.title, description: api.description, version: api.version, schema: format },
      auth: authOf(scheme),
      variable: [
        { key: "baseUrl", value: api.servers[0]?.url ?? "", type: "string" },
        ...(scheme === undefined ? [] : [{ key: "token", value: "", type: "secret" }]),
      ],
      item: [...groupByTagFile(api.operations).values()].map((operations) => ({
        name: operations[0]?.tag,
        item: operations.map((each) => ({ name: each.summary ?? each.name, request: requestOf(each, api) })),
      })),
    };
    return [{ path: "collection.json", text: JSON.stringify(collection) }];
  },
});

/** @param {Operation} operation @param {Api} api */
function requestOf({ method, path, description, parameters, requestBody, ...operation }, api) {
  const body = requestBody && bodyOf(requestBody, api);
  /** @param {string} location */
  const valuesIn = (location) => parameters.filter((each) => each.in === location).map((each) => valueOf(each, api));
  // Postman has path variables for complete segments only; a part of one becomes an ordinary variable.
  const named = path.replaceAll(/(?<=\/)\{([^{}/]+)\}(?=\/|$)/g, ":$1").replaceAll(/\{([^{}]+)\}/g, "{{$1}}");
  const segments = named.slice(1).split("/");
  return {
    method,
    description,
    auth: allowsAnonymous(operation) ? { type: "noauth" } : undefined,
    header: [
      ...valuesIn("header"),
      ...(body?.mode === "raw" ? [{ key: "Content-Type", value: "application/json" }] : []),
    ],
    url: {
      raw: `{{baseUrl}}${named}`,
      host: ["{{baseUrl}}"],
      path: segments,
      query: valuesIn("query"),
      variable: valuesIn("path").filter(({ key }) => segments.includes(`:${key}`)),
    },
    body,
  };
}

/** @param {Parameter} parameter @param {Api} api */
function valueOf({ name, description, schema, ...parameter }, api) {
  const example = sampleSchema(api, schema).value;
  const value = typeof example === "string" ? example : JSON.stringify(example);
  return { key: name, value, description, disabled: !parameter.required };
}

/** @param {RequestBody} body @param {Api} api */
function bodyOf({ contents }, api) {
  const content = preferredContent(contents);
  if (content?.mediaType !== "application/json") return { mode: "file", file: { src: "" } };
  const example = content.example ?? sampleSchema(api, content.schema).value;
  return { mode: "raw", raw: JSON.stringify(example, undefined, 2), options: { raw: { language: "json" } } };
}

/** @param {SecurityScheme | undefined} scheme */
function authOf(scheme) {
  if (scheme === undefined) return { type: "noauth" };
  const [type, values] =
    scheme.kind === "apiKey"
      ? ["apikey", { key: scheme.key, value: "{{token}}", in: scheme.in }]
      : scheme.kind === "basic"
        ? ["basic", { password: "{{token}}" }]
        : ["bearer", { token: "{{token}}" }];
  return { type, [type]: Object.entries(values).map(([key, value]) => ({ key, value, type: "string" })) };
}
