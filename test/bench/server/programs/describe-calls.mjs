// A call of each operation with a path, and a response of its handler: a status, and a media type if it has a body.
import { readFileSync, writeFileSync } from "node:fs";

// Whatever is within something else is within the one with the id 1.
const ids = {
  nodeId: "1-6aa78910bc",
  imageId: "private-1",
  regionId: "us-east",
  tagLabel: "production",
  version: "1.31",
};

const description = JSON.parse(readFileSync("description.json", "utf8"));

const calls = Object.entries(description.paths).flatMap(([path, item]) =>
  ["get", "put", "post", "delete", "patch"].flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    const content = followed(operation.requestBody ?? {}).content?.["application/json"];
    // An unrestricted user gets the last of several successes.
    const [status, response] = Object.entries(operation.responses).findLast(([key]) => key.startsWith("2"));
    const call = {
      name: operation.operationId,
      method: method.toUpperCase(),
      target: `/v4${path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? "1")}`,
      body: content && JSON.stringify(content.example ?? sampleOf(content.schema)),
    };
    return [{ ...call, status: Number(status), type: Object.keys(followed(response).content ?? {})[0] }];
  }),
);
writeFileSync("calls.json", JSON.stringify(calls));

/** A value with the fields that have to be there. */
function sampleOf(given) {
  const {
    type,
    required = [],
    properties = {},
    items,
    allOf = [],
    anyOf = [],
    oneOf = [],
    ...schema
  } = followed(given);
  if (schema.const !== undefined) return schema.const;
  const [example = schema.default ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  const parts = [...allOf, ...anyOf.slice(0, 1), ...oneOf.slice(0, 1)].map(sampleOf);
  const kind = Array.isArray(type) ? type[0] : (type ?? (parts.length > 0 ? "object" : undefined));
  if (kind === "array") return items === undefined ? [] : [sampleOf(items)];
  if (kind === "integer" || kind === "number") return schema.minimum ?? 1;
  if (kind === "boolean") return true;
  if (kind === "string") return "example-1".padEnd(schema.minLength ?? 0, "x");
  const own = required.map((name) => [name, sampleOf(properties[name] ?? {})]);
  return Object.assign({}, ...parts, Object.fromEntries(own));
}

function followed(value) {
  if (value.$ref === undefined) return value;
  const target = value.$ref
    .slice(2)
    .split("/")
    .reduce((at, key) => at[key], description);
  return followed(target);
}
