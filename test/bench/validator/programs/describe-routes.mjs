// The routes of the description as users of Fastify write them, with schemas for parameters, bodies and responses.
import { readFileSync, writeFileSync } from "node:fs";

const description = JSON.parse(readFileSync("description.json", "utf8"));
const { components } = description;

const routes = Object.entries(description.paths).flatMap(([path, item]) =>
  ["get", "put", "post", "delete", "patch"].flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(followed);
    const querystring = schemaOf(parameters, "query");
    const params = schemaOf(parameters, "path");
    const body = operation.requestBody === undefined ? undefined : followed(operation.requestBody);
    const content = body?.content["application/json"]?.schema;
    const schema = { querystring, params, ...(content === undefined ? {} : { body: moved(content) }) };
    const url = `/v4${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
    return [{ name: operation.operationId, method: method.toUpperCase(), url, schema, replies: repliesOf(operation) }];
  }),
);
writeFileSync("routes.json", JSON.stringify({ routes, components }));

function schemaOf(parameters, place) {
  const found = parameters.filter((parameter) => parameter.in === place && parameter.schema !== undefined);
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, moved(schema)])),
    required,
  };
}

function repliesOf({ responses }) {
  const replies = Object.entries(responses).flatMap(([status, response]) => {
    const schema = followed(response).content?.["application/json"]?.schema;
    return schema === undefined ? [] : [[status, moved(schema)]];
  });
  return Object.fromEntries(replies);
}

function followed(value) {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split("/")
    .reduce((at, key) => at[key], description);
}

/** References from a route lead into the schema that is called `api`. */
function moved(value) {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"api#/components/'));
}
