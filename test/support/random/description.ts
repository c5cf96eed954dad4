import * as fc from "fast-check";
import { hostileTexts, oddKey, oddName, prose } from "./names.js";
import { body, example, header, operation, parameter, pathParameter, response, security } from "./operations.js";
import { escaped, schemaOf, withReferences, type Json } from "./schemas.js";

const keyedBy = (value: fc.Arbitrary<object>): fc.Arbitrary<readonly [string, Json]> =>
  fc.tuple(oddName, value).map(([name, each]): readonly [string, Json] => [name, { ...each }]);

const sharedComponents: fc.Arbitrary<Shared> = fc.record({
  parameters: keyedBy(parameter),
  headers: keyedBy(header),
  requestBodies: keyedBy(body),
  responses: keyedBy(response),
  examples: keyedBy(example),
});

/**
 * Descriptions of everything that OpenAPI allows and its users write, in odd combinations: what is generated of them has to compile. The
 * writer prints numbers that JavaScript cannot hold.
 */
export const oddDescription: fc.Arbitrary<string> = fc
  .record({
    openapi: fc.constantFrom("3.0.3", "3.1.0", "3.2.0"),
    info: fc.record({ title: prose, description: prose, version: fc.constantFrom("1.0.0", "*/", "") }),
    schemas: fc.uniqueArray(fc.tuple(oddName, schemaOf(3, "later")), {
      minLength: 1,
      maxLength: 6,
      selector: ([name]) => name,
    }),
    paths: fc.uniqueArray(path(), { minLength: 1, maxLength: 4, selector: ({ shape }) => shape }),
    tags: fc.uniqueArray(fc.record({ name: fc.oneof(oddName, fc.constantFrom(...hostileTexts)), description: prose }), {
      maxLength: 2,
      selector: ({ name }) => name,
    }),
    servers: fc.constantFrom<readonly Json[]>(
      [],
      [{ url: "https://pets.example" }],
      [{ url: "/v1+beta" }],
      [{ url: "https://pets.example/été/a%20b/" }],
      [
        {
          url: "https://{region}.pets.example:{port}/v1",
          variables: { region: { default: "eu", enum: ["eu", "us"] }, port: { default: "443" } },
        },
      ],
      [{ url: "https://{undeclared}.example" }],
      [{ url: "//pets.example" }, { url: "" }],
    ),
    security: fc.option(security, { nil: undefined }),
    webhooks: fc.option(fc.tuple(oddName, operation), { nil: undefined }),
    parent: fc.option(fc.record({ tag: oddKey, children: fc.uniqueArray(oddName, { maxLength: 3 }) }), {
      nil: undefined,
    }),
    shared: sharedComponents,
  })
  .map(
    ({
      openapi,
      info,
      schemas: own,
      paths,
      tags,
      servers,
      security: required,
      webhooks,
      parent,
      shared: components,
    }) => {
      const schemas = [...own, ...(parent === undefined ? [] : family(parent, new Set(own.map(([name]) => name))))];
      const names = schemas.map(([name]) => name);
      const described = {
        openapi,
        info,
        ...(servers.length > 0 ? { servers } : {}),
        ...(required === undefined ? {} : { security: required }),
        ...(tags.length > 0 ? { tags } : {}),
        paths: {
          ...Object.fromEntries(paths.map(({ template, item }) => [template, item])),
          "/linked/{id}": {
            get: linked(components),
            ...(openapi === "3.2.0" ? { query: { ...linked(components), operationId: "queried" } } : {}),
          },
        },
        ...(webhooks === undefined || openapi === "3.0.3"
          ? {}
          : { webhooks: { [webhooks[0]]: { post: webhooks[1] } } }),
      };
      const all = schemas.map(([name, schema], index) => [name, withReferences(schema, names, index)] as const);
      const others = withReferences(keyed(components), names, -1) as Json;
      return written({
        ...(withReferences(described, names, -1) as Json),
        components: { schemas: Object.fromEntries(all), ...others, securitySchemes },
      });
    },
  );

/** A parent with a discriminator, and the schemas that extend it. */
function family(
  { tag, children }: { readonly tag: string; readonly children: readonly string[] },
  taken: ReadonlySet<string>,
): readonly (readonly [string, Json])[] {
  const parent =
    ["Parent", "AnyParent", "TheParent"].find((name) => !taken.has(name) && !children.includes(name)) ?? "";
  const reference = { $ref: `#/components/schemas/${parent}` };
  const extended = children
    .filter((name) => !taken.has(name))
    .map((name): readonly [string, Json] => [
      name,
      {
        allOf: [
          reference,
          { type: "object", properties: { [name]: { type: "string", default: "a" }, other: reference } },
        ],
      },
    ]);
  const properties = { [tag]: { type: "string" } };
  return [...extended, [parent, { type: "object", required: [tag], properties, discriminator: { propertyName: tag } }]];
}

type Shared = Readonly<
  Record<"parameters" | "headers" | "requestBodies" | "responses" | "examples", readonly [string, Json]>
>;

/** Under their keys, as `components` has them. */
function keyed(components: Shared): Json {
  return Object.fromEntries(Object.entries(components).map(([kind, [name, value]]) => [kind, { [name]: value }]));
}

/** An operation that refers to what is shared, in each place that allows it. */
function linked({ parameters, headers, requestBodies, responses, examples }: Shared): Json {
  const to = (kind: string, [name]: readonly [string, Json]): Json => ({
    $ref: `#/components/${kind}/${escaped(name)}`,
  });
  return {
    operationId: "linked",
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, to("parameters", parameters)],
    requestBody: to("requestBodies", requestBodies),
    responses: {
      "200": {
        description: "Linked.",
        headers: { "X-Shared": to("headers", headers) },
        content: {
          "application/json": { schema: { $ref: "#any/0" }, examples: { shared: to("examples", examples) } },
          "text/event-stream": { schema: { $ref: "#any/1" }, itemSchema: { $ref: "#any/2" } },
        },
      },
      "4XX": to("responses", responses),
    },
  };
}

/** JSON, with the digits of numbers beyond those of JavaScript. */
function written(description: Json): string {
  return JSON.stringify(description, null, 1).replaceAll(/"raw-number:([\d.]+)"/g, "$1");
}

function path(): fc.Arbitrary<{ readonly template: string; readonly shape: string; readonly item: Json }> {
  const segment = fc.constantFrom(
    "pets",
    "v1",
    "a.b",
    "a-b",
    "été",
    "a+b",
    "@me",
    "$batch",
    "pets:search",
    "a%20b",
    "class",
    "{}",
  );
  const methods = fc.dictionary(
    fc.constantFrom("get", "put", "post", "delete", "patch", "head", "options", "trace"),
    operation,
    {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    },
  );
  const named = fc.uniqueArray(pathParameter, { maxLength: 3, selector: ({ name }) => name });
  return fc
    .record({
      first: segment.filter((each) => each !== "{}"),
      named,
      between: fc.constantFrom("/", "/a/", "/a/b/c/d/e/", "/x-"),
      end: fc.constantFrom("", "/", "/end", ".json", ":run"),
      shared: fc.uniqueArray(parameter, { maxLength: 1, selector: ({ name }) => name }),
      methods,
    })
    .map(({ first, named: parameters, between, end, shared, methods: operations }) => {
      const template = `/${first}${parameters.map(({ name }) => `${between}{${String(name)}}`).join("")}${end}`;
      return {
        template,
        shape: template.replaceAll(/\{[^}]*\}/g, "{}").replace(/\/$/, ""),
        item: { parameters: [...parameters, ...shared], ...operations },
      };
    });
}

const securitySchemes = {
  key: { type: "apiKey", in: "header", name: "X-Api-Key" },
  query: { type: "apiKey", in: "query", name: "api key" },
  cookie: { type: "apiKey", in: "cookie", name: "session" },
  token: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "BASIC" },
  mutual: { type: "http", scheme: "hoba" },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://pets.example/.well-known" },
  oauth: {
    type: "oauth2",
    flows: {
      clientCredentials: { tokenUrl: "https://pets.example/token", scopes: { read: "Read.", "write:pets": "*/" } },
    },
  },
};
