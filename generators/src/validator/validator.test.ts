import { withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { typeErrors } from "../client/generate-client.support.js";
import { statement, generateValidator } from "./generate-validator.support.js";

const shop = withPaths(
  `/pets:
  get:
    operationId: listPets
    tags: [Pets]
    parameters:
      - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
      - {name: tags, in: query, schema: {type: array, items: {type: string}}}
    responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}, text/csv: {schema: {type: string}}}}}
  post:
    operationId: createPet
    tags: [Pets]
    summary: Makes a pet.
    requestBody:
      required: true
      x-input: {nulls: absent}
      content: {application/json: {schema: {$ref: '#/components/schemas/PetCreate'}}}
    responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, '404': {description: no}}
/pets/{petId}:
  parameters: [{name: petId, in: path, required: true, x-input: {segments: 2}, schema: {type: string}}]
  put:
    operationId: updatePet
    tags: [Pets]
    requestBody:
      x-input: {unchanged: accept}
      content: {application/json: {schema: {$ref: '#/components/schemas/PetUpdate'}}}
    responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
`,
  `components:
  schemas:
    Pet: {type: object, properties: {id: {type: integer, readOnly: true}, name: {type: string}}}
    PetCreate:
      type: object
      required: [name]
      properties:
        name: {type: string, minLength: 3, maxLength: 9}
        alive: {type: boolean, default: true}
        age: {type: integer, x-value: [{matches: {const: 0}, interpretAs: 1}, {round: up, to: [1, 10]}]}
        owner: {type: string, x-value: [{absent: true, set: {from: $caller.name}}]}
        colour: {type: string, x-value: [{absent: true, when: {body: {required: [alive]}}, set: red}]}
    PetUpdate: {type: object, properties: {name: {type: string, minLength: 3}, alive: {type: boolean, default: true}}}
`,
);

const pantry = withPaths(
  `/items:
  get:
    operationId: listItems
    parameters:
      - {name: page, in: query, schema: {type: integer, default: 1}}
      - {name: If-None-Match, in: header, schema: {type: string}}
    responses: {'200': {description: ok}}
  post:
    operationId: addItem
    requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewItem'}}}}
    responses: {'201': {description: ok}}
/items/{itemId}/parts:
  get:
    operationId: listParts
    parameters:
      - {name: itemId, in: path, required: true, schema: {type: integer}}
      - {name: kind, in: query, required: true, schema: {type: string}}
      - {name: page, in: query, schema: {type: integer, default: 1}}
    responses: {'200': {description: ok}}
`,
  `components:
  schemas:
    NewItem:
      type: object
      required: [name]
      properties: {name: {type: string}, unit: {enum: [g, piece], default: piece}}
`,
);

describe("a body of several media types", () => {
  const pet = "{schema: {$ref: '#/components/schemas/Pet'}}";
  test.each([
    ["JSON and XML", `application/xml: ${pet}, application/json: ${pet}`, "Pet"],
    [
      "JSON, XML and a form of one schema",
      `application/xml: ${pet}, application/json: ${pet}, application/x-www-form-urlencoded: ${pet}`,
      "Pet",
    ],
    ["JSON and another JSON", `application/json: ${pet}, application/merge-patch+json: ${pet}`, "Pet"],
    ["JSON and a text", `application/json: ${pet}, text/plain: {schema: {type: string}}`, "unknown"],
    ["JSON and XML without a schema", `application/json: ${pet}, application/xml: {}`, "unknown"],
    ["JSON and bytes", `application/json: ${pet}, application/octet-stream: {}`, "unknown"],
    [
      "JSON and another form",
      `application/json: ${pet}, application/x-www-form-urlencoded: {schema: {type: object}}`,
      "unknown",
    ],
  ])("%s", async (_, contents, type) => {
    const texts = await generateValidator(
      withPaths(
        `/pets: {post: {operationId: createPet, requestBody: {required: true, content: {${contents}}}, responses: {'200': {description: ok}}}}`,
        "components: {schemas: {Pet: {type: object, properties: {name: {type: string}}}}}\n",
      ),
    );
    expect(texts["src/gen/operations/default.ts"]).toContain(`readonly body: ${type};`);
  });
});

describe("a validator", () => {
  test("is these files", async () => {
    expect(Object.keys(await generateValidator(shop))).toEqual([
      "src/gen/types.ts",
      "src/gen/operations/pets.ts",
      "src/gen/checks.ts",
      "src/gen/responses.ts",
      "src/gen/operations.ts",
      "src/gen/operations-table.ts",
      "src/gen/names.ts",
      "src/gen/node.ts",
      "src/gen/express.ts",
      "src/gen/fastify.ts",
      "src/gen/hono.ts",
      "src/gen/fetch.ts",
      "src/gen/security.ts",
      "tsconfig.json",
      "src/index.ts",
      "README.md",
    ]);
  });

  test("reads parameters by their styles, and fills in defaults", async () => {
    const files = await generateValidator(shop);
    expect(statement(files, "operations/pets.ts", "export const listPets")).toContain(`  parameters: [
    {
      name: "page",
      in: "query",
      decode: /* @__PURE__ */ singleValue(integerValue),
      check: checkListPetsPage,
      default: 1,
    },
    { name: "tags", in: "query", decode: /* @__PURE__ */ explodedArray(stringValue), check: checkListPetsTags },
  ],
  produces: ["application/json", "text/csv"],`);
    expect(statement(files, "operations/pets.ts", "export interface ListPetsInput")).toContain(
      "readonly page: number;\n\n    readonly tags?: string[];",
    );
  });

  test.each([
    ["of successes only", "'200': JSON, '404': PROBLEM", ["application/json"]],
    ["of each success", "'200': JSON, 2XX: TEXT, default: PROBLEM", ["application/json", "text/plain"]],
    ["unless a success has no body", "'200': JSON, '204': {description: none}, '404': PROBLEM", undefined],
    ["unless no success has a body", "'204': {description: none}, '404': PROBLEM", undefined],
    ["unless no success is documented", "'303': {description: there}, default: PROBLEM", undefined],
  ])("has to be asked for the media types %s", async (_, responses, produces) => {
    const content = (type: string): string => `{description: a, content: {${type}: {}}}`;
    const stated = responses
      .replaceAll("JSON", content("application/json"))
      .replaceAll("TEXT", content("text/plain"))
      .replaceAll("PROBLEM", content("application/problem+json"));
    const files = await generateValidator(withPaths(`/x:\n  delete: {operationId: remove, responses: {${stated}}}\n`));
    const [, types] =
      /produces: (\[[^\]]*\])/.exec(statement(files, "operations/default.ts", "export const remove")) ?? [];
    expect(types && (JSON.parse(types) as unknown)).toEqual(produces);
  });

  test("marks ids of several segments", async () => {
    const files = await generateValidator(shop);
    expect(statement(files, "operations/pets.ts", "export const updatePet")).toContain(
      `path: "/pets/{+petId}",
  parameters: [
    {
      name: "petId",
      in: "path",
      required: true,
      segments: 2,
      decode: /* @__PURE__ */ singleValue(stringValue),
`,
    );
  });

  test("marks strings that accept an encoded slash", async () => {
    const files = await generateValidator(shop.replace("x-input: {segments: 2}", "x-input: {encodedSlash: true}"));
    expect(statement(files, "operations/pets.ts", "export const updatePet")).toContain(
      `path: "/pets/{petId}",
  parameters: [
    {
      name: "petId",
      in: "path",
      required: true,
      encodedSlash: true,
      decode: /* @__PURE__ */ singleValue(stringValue),
`,
    );
  });

  test("validates bodies with functions of their schemas", async () => {
    expect(statement(await generateValidator(shop), "checks.ts", "export function checkSentPetCreate")).toBe(
      `export function checkSentPetCreate(value: unknown, issues: Issues): void {
  if (!isObject(value)) addIssue(issues, "type", "object");
  else {
    const nameValue = value["name"];
    if (nameValue === undefined || nameValue === null) addIssueAt(issues, "name", "required");
    else if (typeof nameValue !== "string") addIssueAt(issues, "name", "type", "string");
    else if (isShorter(nameValue, 3) || (nameValue.length > 9 && isLonger(nameValue, 9)))
      addIssueAt(issues, "name", "length", 3, 9);
    const aliveValue = value["alive"];
    if (aliveValue !== undefined && aliveValue !== null && typeof aliveValue !== "boolean")
      addIssueAt(issues, "alive", "type", "boolean");
    const ageValue = value["age"];
    if (ageValue !== undefined && ageValue !== null) {
      if (typeof ageValue !== "number" || !Number.isInteger(ageValue)) addIssueAt(issues, "age", "type", "integer");
      else if (!Number.isSafeInteger(ageValue)) addIssueAt(issues, "age", "safeInteger");
    }
    const ownerValue = value["owner"];
    if (ownerValue !== undefined && ownerValue !== null && typeof ownerValue !== "string")
      addIssueAt(issues, "owner", "type", "string");
    const colourValue = value["colour"];
    if (colourValue !== undefined && colourValue !== null && typeof colourValue !== "string")
      addIssueAt(issues, "colour", "type", "string");
  }
}`,
    );
  });

  test("prepares what makes something: nulls, constants, and what follows from the body alone", async () => {
    expect(statement(await generateValidator(shop), "checks.ts", "export const normalizeSentPetCreate")).toBe(
      `export const normalizeSentPetCreate: Normalizer = /* @__PURE__ */ normalizeObject(() => ({
  nulls: petCreateFields,
  defaults: { alive: true },
  values: {
    age: (value) => {
      if (value !== undefined && isValid(checkPetCreateAgeSent, value)) return value;
      return roundUp(value, [1, 10]);
    },
    colour: (value, fields) => {
      if (value === undefined && isValid(checkSentPetCreateColourWhen, fields)) return "red";
      return value;
    },
  },
  known: petCreateFields,
}));`,
    );
  });

  test("fills nothing into changes, and accepts in them what a response can contain", async () => {
    const files = await generateValidator(shop);
    expect(statement(files, "checks.ts", "export const normalizePetUpdateChange")).toBe(
      `export const normalizePetUpdateChange: Normalizer = /* @__PURE__ */ normalizeObject(() => ({ known: petUpdateFields }));`,
    );
    expect(statement(files, "checks.ts", "export function checkUpdatePetBody")).toBe(
      `export function checkUpdatePetBody(value: unknown, issues: Issues, reject?: boolean): void {
  checkPetUpdate(value, issues);
  if (reject) rejectUnknown(value, issues, petUpdateFields);
}`,
    );
    expect(statement(files, "operations/pets.ts", "function checkUpdatePetBodyOrEchoed")).toBe(
      `/** A value just as a read returned it is accepted. */
function checkUpdatePetBodyOrEchoed(value: unknown, issues: Issues, reject?: boolean): void {
  const before = issues.length;
  checkUpdatePetBody(value, issues, reject);
  if (issues.length > before) acceptEchoedValues(value, issues, before, echoedPet());
}`,
    );
    expect(statement(files, "operations/pets.ts", "const echoedPet")).toBe(
      "const echoedPet = (): Readonly<Record<string, Check>> => ({ name: checkText });", // any string is valid, as for the id, so that they share one function
    );
  });

  test("has separate checks of responses", async () => {
    expect(statement(await generateValidator(shop), "responses.ts", "export const responses")).toBe(
      `/** By operation, status and media type. */
export const responses: ResponseValidators = {
  listPets: { "200": { "application/json": checkPet, "text/csv": noValidation } },
  createPet: { "200": { "application/json": checkPet }, "404": {} },
  updatePet: { "200": { "application/json": checkPet } },
};`,
    );
  });

  test("has an entry for each server", async () => {
    expect((await generateValidator(shop))["src/gen/express.ts"]).toBe(
      `import type { OperationName } from "./names.js";
import { operations } from "./operations-table.js";
import type { ProvidedOption } from "@plumbline/server-runtime/validator";
import { type ExpressOptions, expressValidator } from "@plumbline/server-runtime/validator/express";

export interface ExpressValidatorOptions extends Omit<ExpressOptions, ProvidedOption> {
  /** The operations to validate. Other requests pass unchanged. Default: all operations. */
  readonly operations?: readonly OperationName[];
}

/**
 * Validates the requests of an Express app.
 *
 * @example
 * app.use(validator({ basePath: "/v4" }))
 */
export function validator(options: ExpressValidatorOptions = {}): ReturnType<typeof expressValidator> {
  return expressValidator(operations, {
    ...options,
    responseValidators: () => import("./responses.js").then((loaded) => loaded.responses),
  });
}

export { inputOf } from "@plumbline/server-runtime/validator";
`,
    );
  });
});

test("headers of responses have checks, once for equal ones", async () => {
  const headers =
    "headers: {X-Left: {required: true, schema: {type: integer, minimum: 0}}, X-Map: {schema: {type: object}}, X-Text: {schema: {type: string, description: Any.}}}";
  const operation = (name: string, ofSuccess = `, ${headers}`) =>
    `{operationId: ${name}, responses: {'204': {description: ok${ofSuccess}}, default: {description: no, ${headers}}}}`;
  const files = await generateValidator(
    withPaths(`/pets: {get: ${operation("a")}, post: ${operation("b")}, put: ${operation("c", "")}}`),
  );
  const text = files["src/gen/response-headers.ts"] ?? "";
  expect(text.slice(text.indexOf("const headers:"))).toMatchInlineSnapshot(`
    "const headers: readonly ParameterDefinition[] = [
      {
        name: "X-Left",
        in: "header",
        required: true,
        decode: /* @__PURE__ */ singleValue(integerValue),
        check: checkHeaderXLeft,
      },
    ];

    /** Checks headers: those that most operations have, by status, and exceptions by operation. */
    export const responseHeaders: ResponseHeaderCheck = /* @__PURE__ */ createHeaderCheck(
      responses,
      { "204": headers, default: headers },
      { c: { "204": [] } },
    );
    "
  `);
  expect(statement(files, "hono.ts", "export function validator")).toContain("responseHeaders: () =>");
});

test("a server reads schemes of every kind, and what operations require, of its validator", async () => {
  const files = await generateValidator(
    withPaths(
      `/a: {get: {operationId: a, security: [{oauth: [read, write], key: []}, {}], responses: {'204': {description: ok}}}, put: {operationId: b, security: [], responses: {'204': {description: ok}}}}`,
      `components:
  securitySchemes:
    key: {type: apiKey, in: cookie, name: sid}
    oauth: {type: oauth2, flows: {}}
    connect: {type: openIdConnect, openIdConnectUrl: 'https://a.example'}
    certificate: {type: mutualTLS}
    basic: {type: http, scheme: Basic}
    bearer: {type: http, scheme: bearer}
    constructor: {type: http, scheme: Digest}
`,
    ),
  );
  expect(statement(files, "security.ts", "export const securitySchemes")).toMatchInlineSnapshot(`
    "/** The security schemes. */
    export const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
      key: { kind: "apiKey", in: "cookie", key: "sid" },
      oauth: { kind: "oauth2" },
      connect: { kind: "openIdConnect" },
      certificate: { kind: "mutualTLS" },
      basic: { kind: "basic" },
      bearer: { kind: "bearer" },
      constructor: { kind: "http", scheme: "digest" } satisfies SecurityScheme,
    };"
  `);
  expect(statement(files, "security.ts", "export const security:")).toMatchInlineSnapshot(`
    "/** Security requirements, one of which has to be met. Operations without any are public. */
    export const security: Readonly<Record<string, readonly SecurityRequirement[]>> = {
      a: [
        [
          { scheme: "oauth", scopes: ["read", "write"] },
          { scheme: "key", scopes: [] },
        ],
        [],
      ],
      b: [],
    };"
  `);
});

test("handlers of credentials have the types of what requests send", async () => {
  const files = await generateValidator(
    withPaths(
      `/pets:
  get:
    operationId: listPets
    security: [{staff: [], till: []}, {open-id: [read]}, {}]
    responses: {'204': {description: ok}}
`,
      `components:
  securitySchemes:
    staff: {type: http, scheme: basic, description: The people.}
    till: {type: apiKey, in: query, name: till_key}
    open-id: {type: openIdConnect, openIdConnectUrl: 'https://shop.example/id'}
    door: {type: mutualTLS}
`,
    ),
  );
  expect(statement(files, "security.ts", "export type SecurityHandlers")).toMatchInlineSnapshot(`
    "/** Handlers that check credentials. Each returns whether the credential is valid, or \`"forbidden"\` if it lacks a scope. */
    export type SecurityHandlers<Request> = {
      /** The people. */
      readonly staff: SecurityHandler<Request, BasicCredentials>;

      readonly till: SecurityHandler<Request, string>;

      readonly "open-id": SecurityHandler<Request, string>;
    };"
  `);
  expect(statement(files, "security.ts", "export const securityCheck")).toMatchInlineSnapshot(`
    "/** Checks the credentials of a request. */
    export const securityCheck: SecurityCheck = /* @__PURE__ */ createSecurityCheck({
      schemes: securitySchemes,
      requirements: security,
    });"
  `);
  expect(statement(files, "express.ts", "export interface ExpressValidatorOptions")).toMatchInlineSnapshot(`
    "export interface ExpressValidatorOptions extends Omit<ExpressOptions, ProvidedOption> {
      /** The operations to validate. Other requests pass unchanged. Default: all operations. */
      readonly operations?: readonly OperationName[];
      /** Checks credentials, by security scheme, before anything of a request is validated: 401, 403. Default: credentials are not checked. */
      readonly security?: SecurityHandlers<ExpressRequest> | undefined;
    }"
  `);
  expect(statement(files, "express.ts", "export function validator")).toMatchInlineSnapshot(`
    "/**
     * Validates the requests of an Express app.
     *
     * @example
     * app.use(validator({ basePath: "/v4" }))
     */
    export function validator(options: ExpressValidatorOptions = {}): ReturnType<typeof expressValidator> {
      return expressValidator(operations, {
        ...options,
        responseValidators: () => import("./responses.js").then((loaded) => loaded.responses),
        queryCredentials: ["till_key"],
        securityCheck: () => import("./security.js").then((loaded) => loaded.securityCheck),
      });
    }"
  `);
});

describe("optional parts", () => {
  test("add files, and change no other", async () => {
    const [plain, complete] = await Promise.all([
      generateValidator(shop),
      generateValidator(shop, { ajv: true, standard: true }),
    ]);
    const added = Object.keys(complete).filter((path) => plain[path] === undefined);
    expect(added).toEqual(["src/gen/schemas.ts", "src/gen/ajv.ts", "src/gen/standard.ts"]);
    const changed = Object.keys(plain).filter((path) => plain[path] !== complete[path]);
    // Standard Schemas need checks of schemas that no request or response has.
    expect(changed).toEqual(["src/gen/checks.ts", "README.md"]);
    expect(Object.keys(await generateValidator(shop, { schemas: true }))).toContain("src/gen/schemas.ts");
  });

  test("schemas stand alone, and share definitions", async () => {
    const files = await generateValidator(shop, { schemas: true });
    expect(statement(files, "schemas.ts", "export const PetSchema")).toContain(
      'export const PetSchema: JsonSchema = { $ref: "#/$defs/Pet", $defs: { Pet: PetDefinition } };',
    );
    expect(statement(files, "schemas.ts", "export const listPetsSchemas")).toContain(`  query: {
    type: "object",
    properties: {
      page: { default: 1, type: "integer"`);
  });

  test("rules that JSON Schema lacks are beside the schemas", async () => {
    const files = await generateValidator(shop, { ajv: true });
    expect(files["src/gen/ajv.ts"]).toContain('createPet: { "application/json": { nulls: createNullRemover } },');
    expect(files["src/gen/ajv.ts"]).toContain("echoed: { name: ");
  });

  test("Standard Schemas have the types before and after defaults", async () => {
    const files = await generateValidator(pantry, { standard: true });
    const text = files["src/gen/standard.ts"] ?? "";
    const types = Object.fromEntries(
      [...text.matchAll(/export const (\w+): ([^]*?) =\s+\/\* @__PURE__/g)].map(([, name = "", type]) => [name, type]),
    );
    expect(types).toEqual({
      NewItemSchema: "StandardSchema<NewItem>",
      listItemsInput: `StandardInput<
  ListItemsInput,
  { readonly query?: Partial<ListItemsInput["query"]>; readonly headers?: ListItemsInput["headers"] }
>`,
      addItemInput: "StandardInput<AddItemInput, { readonly body: NewItem }>",
      listPartsInput: `StandardInput<
  ListPartsInput,
  { readonly query: Omit<ListPartsInput["query"], "page"> & Partial<Pick<ListPartsInput["query"], "page">> }
>`,
    });
    expect(text).toMatch(/standardInput\(\s*addItem,\s*addItemSchemas,\s*\["unit"\],?\s*\)/);
    const program = `import type { StandardSchemaV1 } from "@standard-schema/spec";
import { addItemInput, listItemsInput, listPartsInput, NewItemSchema } from "./gen/standard.js";

type Sent<Schema extends StandardSchemaV1> = StandardSchemaV1.InferInput<Schema>;
type Received<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;

export const items: readonly Sent<typeof NewItemSchema>[] = [{ name: "Rice" }, { name: "Rice", unit: "g" }];
export const bodies: readonly Sent<typeof addItemInput.body>[] = items;
export const inputs: readonly Sent<typeof addItemInput>[] = bodies.map((body) => ({ body }));
export const unit = ({ unit }: Received<typeof addItemInput.body>): "g" | "piece" => unit;
export const lists: readonly Sent<typeof listItemsInput>[] = [{}, { query: {} }, { query: { page: 2 }, headers: {} }];
export const query: Sent<typeof listItemsInput.query> = {};
export const page = ({ query }: Received<typeof listItemsInput>): number => query.page + query.page;
export const part: Sent<typeof listPartsInput> = { path: { itemId: 1 }, query: { kind: "a" } };
`;
    expect(typeErrors(files, program)).toEqual([]);
    expect(typeErrors(files, program.replace('query: { kind: "a" }', "query: {}"))).toEqual([
      expect.stringContaining("Property 'kind' is missing"),
    ]);
    expect(typeErrors(files, program.replace("page: 2", 'page: "2"'))).toEqual([
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
    ]);
  });

  test("files of a form are not texts", async () => {
    const files = await generateValidator(
      withPaths(
        "/pets: {post: {operationId: createPet, requestBody: {content: {multipart/form-data: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {'200': {description: ok}}}}",
        "components: {schemas: {Pet: {type: object, properties: {name: {type: string}, photo: {type: string, format: binary}}}}}\n",
      ),
      { schemas: true },
    );
    expect(statement(files, "schemas.ts", "const Pet$MultipartDefinition")).toBe(
      `const Pet$MultipartDefinition: JsonSchema | boolean = {
  type: "object",
  properties: { name: { type: "string" }, photo: {} },
};`,
    );
  });
});

test("a pattern that JavaScript cannot evaluate is not checked, and the package says so", async () => {
  const unchecked = withPaths(
    `/pets:
  get:
    operationId: listPets
    parameters: [{name: a, in: query, schema: {type: string, pattern: '('}}]
    responses: {'200': {description: ok}}
`,
    "",
  );
  const files = await generateValidator(unchecked);
  expect(files["src/index.ts"]).toContain(
    '{ pattern: "(", source: "openapi.yaml#/paths/~1pets/get/parameters/0/schema" }',
  );
  expect(files["README.md"]).toContain("- (, at openapi.yaml#/paths/~1pets/get/parameters/0/schema\n");
});
