import { withPaths } from "@plumbline/kit/openapi/testing";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { functionBody, generateClient, typeErrors } from "./generate-client.support.js";

const zoo = withPaths(
  `/pets:
  get:
    operationId: listPets
    tags: [Pets]
    summary: Lists the pets
    parameters:
      - {name: page, in: query, schema: {type: integer, minimum: 1}}
      - {name: page_size, in: query, schema: {type: integer}}
    responses:
      '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}
      4XX: {description: no, content: {application/json: {schema: {$ref: '#/components/schemas/Refusal'}}}}
  post:
    operationId: createPet
    tags: [Pets]
    summary: Makes a pet.
    description: "It is alive. */ alert(1)"
    requestBody:
      required: true
      content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {name: Tom}}}
    responses:
      '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      '404': {description: no}
    x-grants: [{grant: add_pets}]
    x-limits: [{id: pets, kind: rate, max: 10, window: PT1H}]
    x-errors: [{id: too-many-pets, status: 400, summary: There are ten already.}]
/keepers/{keeper-id}:
  delete:
    operationId: deleteKeeper
    tags: [Keepers & co]
    deprecated: true
    security: []
    parameters: [{name: keeper-id, in: path, required: true, description: Whose., schema: {type: string}}]
    responses: {'204': {description: gone}}
`,
  `servers: [{url: 'https://zoo.example/v1'}]
security: [{bearer: [pets:read]}]
x-lists: {pages: {page: page, size: page_size, envelope: {items: data, page: page, pages: pages, total: results}}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer, x-scopes: {areas: [pets, zoo], levels: {read: [], write: [read]}, all: '*', separator: ','}}}
  schemas:
    Page: {type: object, required: [data], properties: {data: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
    Pet: {type: object, required: [id], properties: {id: {type: integer, readOnly: true}, name: {type: string}}}
    Refusal: {type: object, properties: {errors: {type: array, items: {type: string}}}}
`,
);

describe("a client with two tags", () => {
  test("is these files", async () => {
    expect(Object.keys(await generateClient(zoo))).toEqual([
      "src/gen/types.ts",
      "src/gen/operations/pets.ts",
      "src/gen/operations/keepers-co.ts",
      "src/gen/client.ts",
      "src/gen/pagination.ts",
      "src/gen/index.ts",
      "src/gen/scopes.ts",
      "src/gen/limits.ts",
      "src/gen/errors.ts",
      "src/gen/successes.ts",
      "src/gen/query.ts",
      "tsconfig.json",
      "src/index.ts",
      "README.md",
    ]);
  });

  test("has its types", async () => {
    expect(functionBody(await generateClient(zoo), "types.ts")).toBe(`export interface Page {
  data: Pet[];
}

export interface Pet {
  id: number;
  name?: string;
}

export interface PetCreate {
  name?: string;
}

export interface Refusal {
  errors?: string[];
}
`);
  });

  test("has a function an operation", async () => {
    expect(functionBody(await generateClient(zoo), "operations/pets.ts")).toMatchInlineSnapshot(`
      "import type { CreatePetError, ListPetsError } from "../errors.js";
      import type { CreatePetSuccess, ListPetsSuccess } from "../successes.js";
      import type { Page, Pet, PetCreate } from "../types.js";
      import {
        type ApiPromise,
        type CallOptions,
        type Client,
        defineOperation,
        encodeQuery,
        jsonBody,
      } from "@plumbline/client-runtime";

      /** The request of \`listPets\`. */
      export interface ListPetsRequest {
        readonly query?: {
          /** At least 1. */
          readonly page?: number | undefined;

          readonly page_size?: number | undefined;
        };
      }

      /**
       * Lists the pets.
       *
       * \`GET /pets\`
       *
       * - Needs \`pets:read\`.
       *
       * From spec/openapi.yaml#/paths/~1pets/get
       */
      export const listPets: (
        client: Client,
        request?: ListPetsRequest,
        options?: CallOptions,
      ) => ApiPromise<Page, ListPetsError, ListPetsSuccess> = /* @__PURE__ */ defineOperation("GET", "/pets", [encodeQuery]);

      /** The request of \`createPet\`. */
      export interface CreatePetRequest {
        readonly body: PetCreate;
      }

      /**
       * Makes a pet.
       *
       * It is alive. *\\/ alert(1)
       *
       * \`POST /pets\`
       *
       * - Needs \`pets:read\`.
       * - A caller needs the grant \`add_pets\`.
       * - Limit \`pets\`: at most 10 requests within 1 hour.
       *
       * Fails with:
       * - 400 \`too-many-pets\`: There are ten already.
       *
       * From spec/openapi.yaml#/paths/~1pets/post
       */
      export const createPet: (
        client: Client,
        request: CreatePetRequest,
        options?: CallOptions,
      ) => ApiPromise<Pet, CreatePetError, CreatePetSuccess> = /* @__PURE__ */ defineOperation("POST", "/pets", [jsonBody]);
      "
    `);
    expect(functionBody(await generateClient(zoo), "operations/keepers-co.ts")).toMatchInlineSnapshot(`
      "import type { DeleteKeeperError } from "../errors.js";
      import type { DeleteKeeperSuccess } from "../successes.js";
      import { type ApiPromise, type CallOptions, type Client, defineOperation } from "@plumbline/client-runtime";

      /** The request of \`deleteKeeper\`. */
      export interface DeleteKeeperRequest {
        readonly path: {
          /** Whose. */
          readonly "keeper-id": string;
        };
      }

      /**
       * deleteKeeper.
       *
       * \`DELETE /keepers/{keeper-id}\`
       *
       * - Requires no credentials.
       *
       * From spec/openapi.yaml#/paths/~1keepers~1{keeper-id}/delete
       * @deprecated
       */
      export const deleteKeeper: (
        client: Client,
        request: DeleteKeeperRequest,
        options?: CallOptions,
      ) => ApiPromise<undefined, DeleteKeeperError, DeleteKeeperSuccess> = /* @__PURE__ */ defineOperation(
        "DELETE",
        "/keepers/{keeper-id}",
        [],
        { public: true },
      );
      "
    `);
  });

  test("has the error type of each operation", async () => {
    expect(functionBody(await generateClient(zoo), "errors.ts")).toMatchInlineSnapshot(`
      "import type { Refusal } from "./types.js";
      import type { ApiError, StatusInRange } from "@plumbline/client-runtime";

      /** The documented errors of \`listPets\`, by status. A \`CallError\` adds the others. */
      export type ListPetsError = ApiError<StatusInRange<"4XX">, Refusal>;

      /** The documented errors of \`createPet\`, by status. A \`CallError\` adds the others. */
      export type CreatePetError = ApiError<404, unknown>;

      /** The documented errors of \`deleteKeeper\`, by status. A \`CallError\` adds the others. */
      export type DeleteKeeperError = ApiError;
      "
    `);
  });

  test("knows its address", async () => {
    expect(functionBody(await generateClient(zoo), "client.ts")).toMatchInlineSnapshot(`
      "import { type CallOptions, type Client, createBaseClient } from "@plumbline/client-runtime";

      /** The default base URL of the API. */
      export const baseUrl = "https://zoo.example/v1";

      /** Options of all calls. Each call can override them. */
      export type ClientOptions = CallOptions;

      /**
       * Creates a client, the first argument of every function of this package.
       *
       * @example
       * const client = createClient({ token });
       */
      export function createClient(options: ClientOptions = {}): Client {
        return createBaseClient(options, baseUrl);
      }
      "
    `);
  });

  test("writes scopes", async () => {
    expect(functionBody(await generateClient(zoo), "scopes.ts")).toMatchInlineSnapshot(`
      "/** The areas of scopes. */
      export type ScopeArea = "pets" | "zoo";

      /** The levels of access in an area. */
      export type ScopeLevel = "read" | "write";

      /** A scope of a token: a level of access in an area, or full access. */
      export type Scope = "*" | \`\${ScopeArea}:\${ScopeLevel}\`;

      /**
       * Joins scopes in the form that tokens use.
       *
       * @example
       * joinScopes("pets:read", "zoo:read")
       */
      export function joinScopes(...list: readonly Scope[]): string {
        return list.join(",");
      }
      "
    `);
  });

  test("exports everything", async () => {
    expect(functionBody(await generateClient(zoo), "index.ts")).toMatchInlineSnapshot(`
      "export * from "./client.js";
      export * from "./errors.js";
      export * from "./successes.js";
      export * from "./types.js";
      export * from "./scopes.js";
      export * from "./pagination.js";
      export * from "./limits.js";
      export * from "./operations/pets.js";
      export * from "./operations/keepers-co.js";
      export {
        ApiError,
        isApiError,
        toResult,
        withResponse,
        withResponseLimit,
        withRetry,
        createOAuth2,
        isOAuth2Error,
        OAuth2Error,
      } from "@plumbline/client-runtime";
      export type {
        ApiErrorCode,
        ResponseLimitOptions,
        CallOptions,
        Client,
        Fetch,
        UndocumentedStatus,
        ApiPromise,
        ResponseHeaders,
        CallError,
        Result,
        RetryOptions,
        SuccessResponse,
        PageIterable,
        PaginateOptions,
        OAuth2,
        OAuth2Options,
        OAuth2Tokens,
      } from "@plumbline/client-runtime";
      "
    `);
  });

  test("has a README", async () => {
    const [intro = "", calls = ""] = (await generateClient(zoo))["README.md"]?.split(/^## /m) ?? [];
    expect(intro).toMatchInlineSnapshot(`
      "# @pets/client

      A typed client for the Pets 1.

      \`\`\`sh
      npm install @pets/client
      \`\`\`

      \`\`\`ts
      import { createClient, createPet, listPets } from "@pets/client";

      const client = createClient({
        token: process.env["PETS_TOKEN"],
        baseUrl: process.env["PETS_URL"],
      });

      const created = await createPet(client, {
        body: { name: "Tom" },
      });
      console.log(created);

      const found = await listPets(client);
      console.log(found.data);
      \`\`\`

      \`baseUrl\` is the URL of the API.
      Default: the first server of the description.
      The client runs in Node 20 and later, browsers, workers, Deno and Bun.
      It only needs \`fetch\`.

      It is an ES module.
      CommonJS loads it with \`require\`.
      TypeScript with \`"moduleResolution": "node10"\` finds this entry point, but no other one.
      Jest needs your transform for it, such as Babel with \`@babel/preset-env\`:

      \`\`\`js
      // jest.config.js
      module.exports = {
        transformIgnorePatterns: ["/node_modules/(?!@plumbline/|@pets/client/)"],
      };
      \`\`\`

      "
    `);
    expect(calls.split("\n")[0]).toBe("Calls");
  });

  test("explains its streams in the README", async () => {
    const content = (type: string): string =>
      withPaths(`/x: {get: {operationId: find, responses: {'200': {description: a, content: {${type}}}}}}`);
    const readmeOf = async (type: string): Promise<string> => (await generateClient(content(type)))["README.md"] ?? "";
    expect(await readmeOf("text/event-stream: {}")).toContain("`followEvents(find, client, request)` iterates over");
    expect(await readmeOf("application/jsonl: {itemSchema: {}}")).toMatch(
      /`timeout` and `signal`\s+apply until the end\.\n\n/,
    );
    expect(await readmeOf("application/jsonl: {}")).not.toContain("## Streams");
  });

  test("lists its operations by tag in the README", async () => {
    const readme = (await generateClient(zoo))["README.md"] ?? "";
    expect(/^## Operations$[^]*(?=^## From )/m.exec(readme)?.[0]).toMatchInlineSnapshot(`
      "## Operations

      ### Pets

      | function | request | what it does |
      |---|---|---|
      | \`listPets\` | \`GET /pets\` | Lists the pets |
      | \`createPet\` | \`POST /pets\` | Makes a pet. |

      ### Keepers & co

      | function | request | what it does |
      |---|---|---|
      | \`deleteKeeper\` | \`DELETE /keepers/{keeper-id}\` |  |

      ## TanStack Query and SWR

      \`@pets/client/query\` has a function for each operation, which returns options for the hooks of TanStack Query, version 5.89 or later, in each framework: \`…Query\` for what reads, \`…InfiniteQuery\` for lists with pages, \`…Mutation\` for the others.
      A mutation loads the queries again whose data it may have changed.

      \`\`\`ts
      import { useMutation, useQuery } from "@tanstack/react-query";
      import { createClient } from "@pets/client";
      import { createPetMutation, listPetsQuery } from "@pets/client/query";

      const client = createClient({ token: process.env["PETS_TOKEN"], baseUrl: process.env["PETS_URL"] });
      export const useData = () => useQuery({ ...listPetsQuery(client), staleTime: 30_000 });
      export const useChange = () => useMutation(createPetMutation(client));
      \`\`\`

      For SWR, \`swr\`, \`swrInfinite\` and \`swrMutation\` convert these options to arguments of its hooks, as in \`useSWR(...swr(listPetsQuery(client)))\`, and \`changedBy(mutation)\` is the filter for its \`mutate\`.
      The package depends on neither library.
      SWR does not cancel requests.

      "
    `);
  });

  test("compiles under its own options, and suits who uses it", async () => {
    const use = `import { createClient, createPet, deleteKeeper, isApiError, listPets, toResult, joinScopes, type Pet, type PetCreate } from "./index.js";
const client = createClient({ token: joinScopes("pets:read", "*") });
const pet: Pet = await createPet(client, { body: { name: "Tom" } satisfies PetCreate });
const names: readonly (string | undefined)[] = (await listPets(client)).data.map((each) => each.name);
const nothing: undefined = await deleteKeeper(client, { path: { "keeper-id": "a" } });
const result = await toResult(listPets(client, { query: { page: 1, page_size: undefined } }));
export const errors: readonly string[] = !result.ok && result.error.status === 400 ? (result.error.body.errors ?? []) : [];
export { isApiError, names, nothing, pet };
`;
    expect(typeErrors(await generateClient(zoo), use)).toEqual([]);
  });

  test("does not compile for who uses it wrongly", async () => {
    const use = `import { createClient, createPet, deleteKeeper, listPets, joinScopes } from "./index.js";
const client = createClient();
await createPet(client, { body: { id: 1 } });
await createPet(client);
await listPets(client, { query: { size: 1 } });
await deleteKeeper(client, { path: {} });
joinScopes("pets:fly");
`;
    expect(typeErrors(await generateClient(zoo), use).map((issue) => issue.split("\n")[0])).toEqual([
      "src/use.ts: Object literal may only specify known properties, and 'id' does not exist in type 'PetCreate'.",
      "src/use.ts: Expected 2-3 arguments, but got 1.",
      "src/use.ts: Object literal may only specify known properties, and 'size' does not exist in type '{ readonly page?: number | undefined; readonly page_size?: number | undefined; }'.",
      "src/use.ts: Property '\"keeper-id\"' is missing in type '{}' but required in type '{ readonly \"keeper-id\": string; }'.",
      "src/use.ts: Argument of type '\"pets:fly\"' is not assignable to parameter of type 'Scope'.",
    ]);
  });
});

describe("parameters", () => {
  test.each([
    ["in: query, schema: {type: string}", "[encodeQuery]"],
    ["in: query, schema: {type: array, items: {type: string}}", "[encodeQuery]"],
    [
      "in: query, explode: false, schema: {type: array, items: {type: string}}",
      "[encodeQueryWith({ a: commaDelimited })]",
    ],
    ["in: query, allowReserved: true, schema: {type: string}", "[encodeQueryWith({ a: allowReserved })]"],
    ["in: query, style: deepObject, schema: {type: object}", "[encodeQueryWith({ a: deepObject })]"],
    ["in: query, style: spaceDelimited, schema: {type: array}", "[encodeQueryWith({ a: spaceDelimited })]"],
    ["in: query, style: pipeDelimited, schema: {type: array}", "[encodeQueryWith({ a: pipeDelimited })]"],
    ["in: query, style: pipeDelimited, explode: true, schema: {type: array}", "[encodeQuery]"],
    ["in: query, content: {application/json: {schema: {type: object}}}", "[encodeQueryWith({ a: jsonParameter })]"],
    ["in: query, content: {text/plain: {schema: {type: string}}}", "[encodeQuery]"],
    ["in: header, schema: {type: string}", "[encodeHeaders]"],
    ["in: header, schema: {type: object}", "[encodeHeadersWith({ a: objectHeader })]"],
    ["in: header, explode: true, schema: {type: object}", "[encodeHeadersWith({ a: objectHeaderExploded })]"],
    ["in: header, content: {application/json: {schema: {type: object}}}", "[encodeHeadersWith({ a: jsonHeader })]"],
    ["in: cookie, schema: {type: string}", "[encodeCookies]"],
    ["in: cookie, explode: false, schema: {type: array}", "[encodeCookiesWith({ a: commaDelimited })]"],
    ["in: path, schema: {type: string}", ""],
    ["in: path, schema: {type: array}", "[], { pathEncoder: pathEncoder({ a: simpleStyle }) }"],
    ["in: path, schema: {type: object}", "[], { pathEncoder: pathEncoder({ a: simpleStyle }) }"],
    ["in: path, explode: true, schema: {type: object}", "[], { pathEncoder: pathEncoder({ a: simpleExploded }) }"],
    ["in: path, style: label, schema: {type: string}", "[], { pathEncoder: pathEncoder({ a: labelStyle }) }"],
    [
      "in: path, style: label, explode: true, schema: {type: string}",
      "[], { pathEncoder: pathEncoder({ a: labelExploded }) }",
    ],
    ["in: path, style: matrix, schema: {type: string}", "[], { pathEncoder: pathEncoder({ a: matrixStyle }) }"],
    [
      "in: path, style: matrix, explode: true, schema: {type: string}",
      "[], { pathEncoder: pathEncoder({ a: matrixExploded }) }",
    ],
  ])("%s are written by %s", async (parameter, encoders) => {
    const data = await argumentsOf(`get: {parameters: [{name: a, ${parameter}}], responses: {}}`, "/x/{a}");
    expect(data).toBe(`"GET", "/x/{a}"${encoders === "" ? "" : `, ${encoders}`}`);
  });

  test("of several segments keep their slashes", async () => {
    const get =
      "get: {parameters: [{name: a, in: path, x-input: {segments: 2}, schema: {type: string}}], responses: {}}";
    expect(await argumentsOf(get, "/x/{a}/y")).toBe('"GET", "/x/{a}/y", [], { pathEncoder: multiSegment }');
  });

  test("that several operations encode alike have one encoder", async () => {
    const parameters = (name: string, more: string): string =>
      `parameters: [{name: ${name}, ${more}, schema: {type: array, items: {type: string}}}], responses: {'204': {description: Done.}}`;
    const pipes = "in: query, style: pipeDelimited";
    const files = await generateClient(
      withPaths(`/a: {get: {operationId: getA, ${parameters("query", pipes)}}}
/b: {get: {operationId: encodeQuery2, ${parameters("query", pipes)}}}
/c: {get: {operationId: getC, ${parameters("query", "in: query, style: spaceDelimited")}}}
/d: {get: {operationId: getD, ${parameters("query", "in: query, style: spaceDelimited")}}}
/e: {get: {operationId: getE, ${parameters("tags", pipes)}}}
/f: {get: {operationId: getF, ${parameters("plain", "in: query")}}}`),
    );
    expect(functionBody(files, "encoders.ts")).toMatchInlineSnapshot(`
      "import { type RequestEncoder, encodeQueryWith, pipeDelimited, spaceDelimited } from "@plumbline/client-runtime";

      export const encodeQuery: RequestEncoder = /* @__PURE__ */ encodeQueryWith({ query: pipeDelimited });

      export const encodeQuery3: RequestEncoder = /* @__PURE__ */ encodeQueryWith({ query: spaceDelimited });
      "
    `);
    const text = functionBody(files, "operations/default.ts");
    expect(text.split("export const").slice(1).map(argumentsIn)).toMatchInlineSnapshot(`
      [
        ""GET", "/a", [encodeQuery]",
        ""GET", "/b", [encodeQuery]",
        ""GET", "/c", [encodeQuery3]",
        ""GET", "/d", [encodeQuery3]",
        ""GET", "/e", [encodeQueryWith({ tags: pipeDelimited })]",
        ""GET", "/f", [$encodeQuery]",
      ]
    `);
    expect(typeErrors(files)).toEqual([]);
  });

  test("that accept an encoded slash are encoded like others", async () => {
    const get =
      "get: {parameters: [{name: a, in: path, x-input: {encodedSlash: true}, schema: {type: string}}], responses: {}}";
    expect(await argumentsOf(get, "/x/{a}")).toBe('"GET", "/x/{a}"');
  });

  test("with names that are not identifiers are quoted", async () => {
    const get =
      "get: {operationId: find, parameters: [{name: X-Filter, in: header, schema: {}}, {name: __proto__, in: header, style: simple, schema: {type: object}}], responses: {}}";
    const files = await generateClient(withPaths(`/x:\n  ${get}`));
    expect(functionBody(files, "operations/default.ts")).toMatch(
      /readonly "X-Filter"\?: unknown \| undefined;\s+readonly \["__proto__"\]\?: Record<string, unknown> \| undefined;/,
    );
    expect(functionBody(files, "operations/default.ts")).toContain(
      'encodeHeadersWith({ ["__proto__"]: objectHeader })',
    );
    expect(typeErrors(files)).toEqual([]);
  });
});

describe("bodies", () => {
  const bodies: readonly (readonly [content: string, encoder: string, type: string])[] = [
    ["application/json: {schema: {type: string}}", "[jsonBody]", "string"],
    [
      "application/merge-patch+json: {schema: {type: string}}",
      '[jsonBodyAs("application/merge-patch+json")]',
      "string",
    ],
    ["application/x-www-form-urlencoded: {schema: {type: object}}", "[urlEncodedBody]", "Record<string, unknown>"],
    [
      "application/x-www-form-urlencoded: {schema: {type: object}, encoding: {a: {style: deepObject}, b: {contentType: text/plain}, c: {explode: false}, d: {explode: true}}}",
      "[urlEncodedBodyWith({ a: deepObject, c: commaDelimited, d: formExploded })]",
      "Record<string, unknown>",
    ],
    [
      "multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}}, required: [file]}}",
      "[multipartBody]",
      "{ file: globalThis.Blob; }",
    ],
    [
      "multipart/form-data: {schema: {type: object, properties: {one: {type: object}, many: {type: array, items: {allOf: [{type: object}]}}, text: {type: string}}}}",
      '[multipartBodyWith({ one: "application/json", many: "application/json" })]',
      "{ one?: Record<string, unknown>; many?: Record<string, unknown>[]; text?: string; }",
    ],
    [
      "multipart/form-data: {schema: {type: object, properties: {a: {type: string, format: binary}, b: {type: string, format: binary}, c: {type: string}}}, encoding: {a: {contentType: 'image/*, image/png, image/jpeg'}, b: {contentType: 'image/*'}, c: {contentType: text/plain}}}",
      '[multipartBodyWith({ a: "image/png", c: "text/plain" })]',
      "{ a?: globalThis.Blob; b?: globalThis.Blob; c?: string; }",
    ],
    [
      "multipart/form-data: {schema: {type: object, properties: {a: {type: string, format: binary}}}, encoding: {a: {contentType: application/octet-stream}}}",
      "[multipartBody]",
      "{ a?: globalThis.Blob; }",
    ],
    ["text/plain: {schema: {type: string}}", '[rawBody("text/plain")]', "string"],
    ["application/xml: {schema: {type: object}}", '[rawBody("application/xml")]', "string"],
    ["application/octet-stream: {}", '[rawBody("application/octet-stream")]', "RawBody"],
    ["image/png: {schema: {type: string, format: binary}}", '[rawBody("image/png")]', "RawBody"],
    [
      "application/xml: {schema: {type: object}}, application/json: {schema: {type: object}}",
      "[jsonBody]",
      "Record<string, unknown>",
    ],
  ];

  test.each(bodies)("of %s are written by %s", async (content, encoder, type) => {
    const files = await generateClient(
      withPaths(
        `/x:\n  post: {operationId: send, requestBody: {required: true, content: {${content}}}, responses: {}}`,
      ),
    );
    const text = functionBody(files, "operations/default.ts").replaceAll(/\s+/g, " ");
    expect(text).toContain(`export interface SendRequest { readonly body: ${type}; }`);
    expect(argumentsIn(text)).toBe(`"POST", "/x"${encoder === "" ? "" : `, ${encoder}`}`);
  });

  test("of all kinds compile", async () => {
    const paths = bodies.map(
      ([content], index) =>
        `/x${index}:\n  post: {requestBody: {required: true, content: {${content}}}, responses: {}}`,
    );
    expect(typeErrors(await generateClient(withPaths(paths.join("\n"))))).toEqual([]);
  });

  test("of several media types are chosen by the caller, with headers of parts", async () => {
    const content = `application/json: {schema: {type: integer}}, multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}, meta: {type: object}}}, encoding: {file: {headers: {X-Size: {schema: {type: integer}}}}, meta: {contentType: application/json}}}, image/*: {}`;
    const files = await generateClient(
      withPaths(
        `/x:\n  post: {operationId: send, requestBody: {required: true, content: {${content}}}, responses: {}}`,
      ),
    );
    const text = functionBody(files, "operations/default.ts").replaceAll(/\s+/g, " ");
    expect(argumentsIn(text)).toBe(
      '"POST", "/x", [bodyByContentType({ "application/json": jsonBody, "multipart/form-data": multipartBodyWith({ meta: "application/json" }) })]',
    );
    const use = (...requests: readonly string[]) =>
      [
        'import { createClient, part, send } from "./index.js";',
        "void part;",
        ...requests.map((request) => `void send(createClient({ baseUrl: "/" }), ${request});`),
      ].join("\n");
    const accepted = [
      "{ body: 1 }",
      '{ contentType: "application/json", body: 1 }',
      '{ contentType: "multipart/form-data", body: { file: new Blob(), meta: {} } }',
      '{ contentType: "multipart/form-data", body: { file: part(new Blob(), { headers: { "X-Size": 1 } }) } }',
    ];
    expect(typeErrors(files, use(...accepted))).toEqual([]);
    const wrong = [
      '{ contentType: "application/json", body: {} }',
      '{ contentType: "image/png", body: new Blob() }',
      "{ body: { meta: {} } }",
    ];
    expect(typeErrors(files, use(...wrong.map((each) => `\n// @ts-expect-error\n${each}`)))).toEqual([]);
  });
});

describe("responses", () => {
  const responsesOfKinds: readonly (readonly [responses: string, decoder: string, type: string])[] = [
    ["'204': {description: none}", "", "undefined"],
    ["'200': {description: a, content: {application/json: {schema: {type: string}}}}", "", "string"],
    [
      "'200': {description: a, content: {application/vnd.pets+json: {schema: {type: string}}}}",
      '[], { accept: "application/vnd.pets+json, */*;q=0.5" }',
      "string",
    ],
    [
      "'200': {description: a, content: {application/json: {schema: {type: string}}}}, '202': {description: b}",
      "",
      "string | undefined",
    ],
    [
      "'200': {description: a, content: {application/json: {schema: {type: string}}}}, '201': {description: b, content: {application/json: {schema: {type: string}}}}",
      "",
      "string",
    ],
    [
      "'200': {description: a, content: {text/csv: {}}}",
      '[], { accept: "text/csv, */*;q=0.5", decoder: asText }',
      "string",
    ],
    [
      "'200': {description: a, content: {image/png: {}}}",
      '[], { accept: "image/png, */*;q=0.5", decoder: asBlob }',
      "globalThis.Blob",
    ],
    [
      "'200': {description: a, content: {application/jsonl: {itemSchema: {type: integer}}}}",
      '[], { accept: "application/jsonl, */*;q=0.5", decoder: asJsonLines }',
      "globalThis.AsyncIterable<number>",
    ],
    [
      "'200': {description: a, content: {text/event-stream: {itemSchema: {}}}}",
      '[], { accept: "text/event-stream, */*;q=0.5", decoder: asEvents }',
      "globalThis.AsyncIterable<unknown>",
    ],
    [
      "'200': {description: a, content: {text/event-stream: {}}}",
      '[], { accept: "text/event-stream, */*;q=0.5", decoder: asEvents }',
      "globalThis.AsyncIterable<ServerSentEvent>",
    ],
    [
      "'200': {description: a, content: {text/event-stream: {itemSchema: {type: object, properties: {data: {type: string, contentMediaType: application/json, contentSchema: {type: integer}}}}}}}",
      '[], { accept: "text/event-stream, */*;q=0.5", decoder: asJsonEvents }',
      "globalThis.AsyncIterable<{ data?: number; }>",
    ],
    [
      "'200': {description: a, content: {image/png: {itemSchema: {}}}}",
      '[], { accept: "image/png, */*;q=0.5", decoder: asBlob }',
      "globalThis.Blob",
    ],
    [
      "'200': {description: a, content: {application/json: {schema: {type: integer}}}}, '202': {description: b, content: {text/plain: {}}}, '204': {description: c}",
      '[], { accept: "application/json, text/plain, */*;q=0.5", decoder: decodeByStatus({ "200": "json", "202": asText }) }',
      "number | string | undefined",
    ],
    [
      "'200': {description: a, content: {text/plain: {}}}, 2XX: {description: b, content: {image/png: {}}}",
      '[], { accept: "text/plain, image/png, */*;q=0.5", decoder: decodeByStatus({ "200": asText, "2XX": asBlob }) }',
      "string | globalThis.Blob",
    ],
    ["2XX: {description: a, content: {application/json: {schema: {type: integer}}}}", "", "number"],
    ["default: {description: a, content: {application/json: {schema: {type: integer}}}}", "", "number"],
    [
      "'200': {description: a}, default: {description: b, content: {application/json: {schema: {type: integer}}}}",
      "",
      "undefined",
    ],
    ["'302': {description: elsewhere}", "", "undefined"],
    ["'200': {description: a, content: {'*/*': {schema: {type: string}}}}", "", "string"],
    [
      "'204': {description: none}, '404': {description: a, content: {application/problem+json: {}}}",
      '[], { accept: "application/json, application/problem+json;q=0.9, */*;q=0.5" }',
      "undefined",
    ],
    [
      "'200': {description: a, content: {application/pdf: {}}}, '404': {description: a, content: {application/json: {}}}, default: {description: a, content: {text/html: {}, application/json: {}}}",
      '[], { accept: "application/pdf, application/json;q=0.9, */*;q=0.5", decoder: asBlob }',
      "globalThis.Blob",
    ],
    [
      `'200': {description: a, content: {application/vnd.${"a".repeat(99)}+json: {schema: {type: string}}}}, '201': {description: b, content: {application/json: {schema: {type: string}}}}`,
      '[], { accept: "*/*;q=0.5" }',
      "string",
    ],
  ];

  test.each(responsesOfKinds)("of %s are read by %s", async (responses, decoder, type) => {
    const files = await generateClient(withPaths(`/x:\n  get: {operationId: find, responses: {${responses}}}`));
    const text = functionBody(files, "operations/default.ts")
      .replaceAll(/\s+/g, " ")
      .replace("ApiPromise< ", "ApiPromise<")
      .replace(" > = ", "> = ");
    expect(text).toContain(`ApiPromise<${type}, FindError, FindSuccess>`);
    expect(argumentsIn(text)).toBe(`"GET", "/x"${decoder === "" ? "" : `, ${decoder}`}`);
  });

  test("of all kinds compile", async () => {
    const paths = responsesOfKinds.map(([responses], index) => `/x${index}:\n  get: {responses: {${responses}}}`);
    expect(typeErrors(await generateClient(withPaths(paths.join("\n"))))).toEqual([]);
  });
});

describe("security", () => {
  const schemes = (list: string, security: string): string =>
    `components: {securitySchemes: {${list}}}\nsecurity: ${security}\n`;
  const bearer = "token: {type: http, scheme: bearer}";
  const key = "key: {type: apiKey, in: header, name: X-Key}";

  test("is a token where there are only bearer schemes, and none for public operations", async () => {
    const rest = schemes(bearer, "[{token: []}]");
    expect(await argumentsOf("get: {responses: {}}", "/x", rest)).toBe('"GET", "/x"');
    expect(
      await argumentsOf("get: {security: [], responses: {}}\n  put: {tags: [Other], responses: {}}", "/x", rest),
    ).toBe('"GET", "/x", [], { public: true }');
    expect(
      await argumentsOf("get: {security: [{}], responses: {}}\n  put: {tags: [Other], responses: {}}", "/x", rest),
    ).toBe('"GET", "/x", [], { public: true }');
    expect(
      await argumentsOf(
        "get: {security: [{}, {token: []}], responses: {}}\n  put: {tags: [Other], responses: {}}",
        "/x",
        rest,
      ),
    ).toBe('"GET", "/x"');
  });

  test("does not exist without requirements: `authorize` sends what the API needs", async () => {
    const files = await generateClient(
      withPaths("/x: {get: {responses: {}}}", "components: {securitySchemes: {token: {type: http, scheme: bearer}}}\n"),
    );
    const create = (options: string) => `import { createClient, getX } from "./index.js";
void getX(createClient({ baseUrl: "/", ${options} }), {}, { ${options} });
`;
    expect(typeErrors(files, create('authorize: (request) => request.headers.set("x-key", "k")'))).toEqual([]);
    expect(typeErrors(files, create('token: "t"'))).toHaveLength(2);
    expect(functionBody(files, "operations/default.ts")).not.toContain("public");
  });

  test("excludes credentials that a request cannot carry", async () => {
    const rest = schemes(
      `${bearer}, ${key}, pass: {type: mutualTLS}, riddle: {type: http, scheme: digest}`,
      "[{riddle: []}, {pass: [], key: []}, {token: []}]",
    );
    expect(await argumentsOf("get: {responses: {}}", "/x", rest)).toBe(
      '"GET", "/x", [], { security: [["riddle"], ["key"], ["token"]] }',
    );
    const client = functionBody(await generateClient(withPaths("/x: {get: {responses: {}}}", rest)), "client.ts");
    expect(client).toContain("token: bearerAuth,");
    expect(client).not.toMatch(/pass|riddle/);
  });

  test("has no token for an operation with another scheme", async () => {
    const rest = schemes(`${bearer}, riddle: {type: http, scheme: digest}`, "[{token: []}]");
    const both = "/x: {get: {security: [{riddle: []}], responses: {}}, put: {responses: {}}}";
    const text = functionBody(await generateClient(withPaths(both, rest)), "operations/default.ts");
    const lines = text.split("export const").map(argumentsIn);
    expect(lines.slice(1)).toEqual([
      '"GET", "/x", [], { security: [["riddle"]] }',
      '"PUT", "/x", [], { security: [["token"]] }',
    ]);
  });

  test("is chosen from alternatives where there are other schemes", async () => {
    const rest = schemes(
      `${bearer}, ${key}, login: {type: http, scheme: basic}`,
      "[{token: [a]}, {key: [], login: []}]",
    );
    expect(await argumentsOf("get: {responses: {}}", "/x", rest)).toBe(
      '"GET", "/x", [], { security: [["token"], ["key", "login"]] }',
    );
    const files = await generateClient(withPaths("/x: {get: {responses: {}}}", rest));
    const use = `import { createClient, type Client } from "./index.js";
export const client: Client = createClient({ baseUrl: "/", credentials: { key: "k", login: { user: "a", password: "b" }, token: async () => "t" } });
`;
    expect(typeErrors(files, use)).toEqual([]);
    expect(functionBody(files, "client.ts")).toMatchInlineSnapshot(`
      "import {
        type BasicCredentials,
        type CallOptions,
        type Client,
        type Secret,
        apiKeyAuth,
        authorizeBySecurity,
        basicAuth,
        bearerAuth,
        createBaseClient,
      } from "@plumbline/client-runtime";

      /** The credentials of the caller, by security scheme. */
      export interface Credentials {
        readonly token?: Secret | undefined;
        readonly key?: Secret | undefined;
        readonly login?: BasicCredentials | undefined;
      }

      /** Options of all calls. Each call can override them. */
      export interface ClientOptions extends Omit<CallOptions, "credentials"> {
        /** The base URL of the API. */
        readonly baseUrl: string;
        /** Each call uses the first of its security requirements for which all credentials are given. */
        readonly credentials?: Credentials | undefined;
      }

      const schemes = {
        token: bearerAuth,
        key: (key: Secret) => apiKeyAuth({ in: "header", name: "X-Key" }, key),
        login: ({ user, password }: BasicCredentials) => basicAuth(user, password),
      };

      /**
       * Creates a client, the first argument of every function of this package.
       *
       * @example
       * const client = createClient({ baseUrl, credentials });
       */
      export function createClient(options: ClientOptions): Client {
        const { credentials, ...rest } = options;
        const authorize = rest.authorize ?? (credentials && authorizeBySecurity(schemes, credentials));
        return createBaseClient({ ...rest, authorize });
      }
      "
    `);
  });

  test("has no effect if it is unused", async () => {
    const files = await generateClient(
      withPaths("/x: {get: {responses: {}}}", schemes(`${bearer}, ${key}`, "[{token: []}]")),
    );
    expect(functionBody(files, "client.ts")).not.toContain("Credentials");
  });
});

describe("a description that is", () => {
  test.each([
    ["empty", withPaths("/x: {}")],
    [
      "without an operation that needs nothing",
      withPaths("/x/{a}: {get: {parameters: [{name: a, in: path, schema: {}}], responses: {}}}"),
    ],
    [
      "of one post with an example",
      withPaths(
        "/x: {post: {requestBody: {content: {application/json: {schema: {}, example: {a: 1}}}}, responses: {'200': {description: ok, content: {application/json: {}}}}}}",
      ),
    ],
    ["full of traps in its texts", hostile()],
  ])("%s gives a client that compiles, and a README", async (_, text) => {
    const files = await generateClient(text);
    expect(typeErrors(files)).toEqual([]);
    expect(files["README.md"]).not.toMatch(/\{\{|undefined/);
  });

  test("full of traps keeps them in strings and comments", async () => {
    const files = await generateClient(hostile());
    const sources = Object.entries(files)
      .filter(([name]) => name.endsWith(".ts"))
      .map(([, text]) => text)
      .join("\n");
    expect(sources).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/,
    );
    expect(identifiersIn(sources)).not.toContain("evil");
    expect(identifiersIn("export const a = evil();")).toContain("evil");
  });

  function hostile(): string {
    const evil = JSON.stringify(
      "*/ evil(); /* ` ${evil()} \" ' \\ \u2028 evil() \u202e \u0007 </script> *\u200f/ evil()",
    );
    return JSON.stringify(
      JSON.parse(`{
        "openapi": "3.1.0",
        "info": {"title": ${evil}, "version": ${evil}, "summary": ${evil}},
        "servers": [{"url": "https://evil.example/\\"; evil(); \\""}],
        "tags": [{"name": ${evil}, "description": ${evil}}],
        "security": [{${evil}: [${evil}]}],
        "paths": {
          "/\\"; evil(); //{a}": {
            "post": {
              "operationId": "send", "tags": [${evil}], "summary": ${evil}, "description": ${evil},
              "parameters": [
                {"name": "a", "in": "path", "description": ${evil}, "schema": {"type": "string", "default": ${evil}}},
                {"name": ${evil}, "in": "query", "style": "deepObject", "schema": {"type": "object", "enum": [${evil}]}}
              ],
              "requestBody": {"description": ${evil}, "content": {"application/evil\\"+json": {"schema": {"$ref": "#/components/schemas/Evil"}, "example": ${evil}}}},
              "responses": {"200": {"description": ${evil}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Evil"}}}}},
              "x-limits": [{"id": ${evil}, "kind": "rate", "max": 1}],
              "x-errors": [{"id": ${evil}, "status": 400, "summary": ${evil}}]
            }
          }
        },
        "components": {
          "securitySchemes": {${evil}: {"type": "apiKey", "in": "header", "name": ${evil}, "x-scopes": {"areas": [${evil}], "levels": {${evil}: []}, "all": ${evil}, "separator": ${evil}}}},
          "schemas": {"Evil": {"type": "object", "description": ${evil}, "pattern": ${evil}, "required": [${evil}], "properties": {${evil}: {"const": ${evil}, "description": ${evil}, "title": ${evil}}, "__proto__": {"description": "@ts-expect-error"}}}}
        }
      }`),
    );
  }
});

function identifiersIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022));
  return found;
}

/** What `defineOperation` gets for the one operation of a path, on one line. */
async function argumentsOf(operation: string, path = "/x", rest = ""): Promise<string> {
  return argumentsIn(
    functionBody(await generateClient(withPaths(`'${path}':\n  ${operation}`, rest)), "operations/default.ts"),
  );
}

const pure = "/* @__PURE__ */ ";

function argumentsIn(text: string): string {
  const given = /= \/\* @__PURE__ \*\/ defineOperation\(([^]*?)\);/.exec(text)?.[1] ?? "no operation";
  const line = given
    .replaceAll(/,(\s*([}\])]|$))/g, "$1")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([[(]) | ([\])])/g, "$1$2")
    .trim();
  const withoutMarks = line.replaceAll(/\/\* @__PURE__ \*\/ (?=\w+\()/g, "");
  // A bundler keeps an unused operation if one call of its arguments has no mark.
  expect(line.split(pure)).toHaveLength(withoutMarks.split(/\w\(/).length);
  return withoutMarks;
}
