import { describe, expect, test } from "vitest";
import { withPaths } from "../model/testing.support.js";
import { statement, validatorOf } from "./testing.support.js";

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
        age: {type: integer, x-value: [{sent: {const: 0}, means: 1}, {round: up, to: [1, 10]}]}
        owner: {type: string, x-value: [{absent: true, take: {from: $caller.name}}]}
        colour: {type: string, x-value: [{absent: true, when: {body: {required: [alive]}}, take: red}]}
    PetUpdate: {type: object, properties: {name: {type: string, minLength: 3}, alive: {type: boolean, default: true}}}
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
    const texts = await validatorOf(
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
    expect(Object.keys(await validatorOf(shop))).toEqual([
      "src/gen/types.ts",
      "src/gen/operations/pets.ts",
      "src/gen/checks.ts",
      "src/gen/replies.ts",
      "src/gen/operations.ts",
      "src/gen/table.ts",
      "src/gen/names.ts",
      "src/gen/node.ts",
      "src/gen/express.ts",
      "src/gen/fastify.ts",
      "src/gen/hono.ts",
      "src/gen/fetch.ts",
      "tsconfig.json",
      "src/index.ts",
      "README.md",
    ]);
  });

  test("reads parameters by their styles, and fills in defaults", async () => {
    const files = await validatorOf(shop);
    expect(statement(files, "operations/pets.ts", "export const listPets")).toContain(`  parameters: [
    { name: "page", in: "query", read: /* @__PURE__ */ one(integer), check: checkListPetsPage, default: 1 },
    { name: "tags", in: "query", read: /* @__PURE__ */ exploded(text), check: checkListPetsTags },
  ],
  produces: ["application/json", "text/csv"],`);
    expect(statement(files, "operations/pets.ts", "export interface ListPetsInput")).toContain(
      "readonly page: number;\n\n    readonly tags?: string[];",
    );
  });

  test("marks ids of several segments", async () => {
    const files = await validatorOf(shop);
    expect(statement(files, "operations/pets.ts", "export const updatePet")).toContain(
      `path: "/pets/{+petId}",
  parameters: [
    {
      name: "petId",
      in: "path",
      required: true,
      segments: 2,
      read: /* @__PURE__ */ one(text),
`,
    );
  });

  test("marks strings that accept an encoded slash", async () => {
    const files = await validatorOf(shop.replace("x-input: {segments: 2}", "x-input: {encodedSlash: true}"));
    expect(statement(files, "operations/pets.ts", "export const updatePet")).toContain(
      `path: "/pets/{petId}",
  parameters: [
    {
      name: "petId",
      in: "path",
      required: true,
      encodedSlash: true,
      read: /* @__PURE__ */ one(text),
`,
    );
  });

  test("validates bodies with functions of their schemas", async () => {
    expect(statement(await validatorOf(shop), "checks.ts", "export function checkSentPetCreate")).toBe(
      `export function checkSentPetCreate(value: unknown, faults: Faults, reject?: boolean): void {
  if (!isObject(value)) fail(faults, "type", "object");
  else {
    const nameValue = value["name"];
    if (nameValue === undefined || nameValue === null) failAt(faults, "name", "required");
    else {
      if (typeof nameValue !== "string") failAt(faults, "name", "type", "string");
      else {
        if (isShorter(nameValue, 3) || (nameValue.length > 9 && isLonger(nameValue, 9)))
          failAt(faults, "name", "length", 3, 9);
      }
    }
    const aliveValue = value["alive"];
    if (aliveValue !== undefined && aliveValue !== null) {
      if (typeof aliveValue !== "boolean") failAt(faults, "alive", "type", "boolean");
    }
    const ageValue = value["age"];
    if (ageValue !== undefined && ageValue !== null) {
      if (typeof ageValue !== "number" || !Number.isInteger(ageValue)) failAt(faults, "age", "type", "integer");
      else {
        if (!Number.isSafeInteger(ageValue)) failAt(faults, "age", "exact");
      }
    }
    const ownerValue = value["owner"];
    if (ownerValue !== undefined && ownerValue !== null) {
      if (typeof ownerValue !== "string") failAt(faults, "owner", "type", "string");
    }
    const colourValue = value["colour"];
    if (colourValue !== undefined && colourValue !== null) {
      if (typeof colourValue !== "string") failAt(faults, "colour", "type", "string");
    }
  }
}`,
    );
  });

  test("prepares what makes something: nulls, constants, and what follows from the body alone", async () => {
    expect(statement(await validatorOf(shop), "checks.ts", "export const takeSentPetCreate")).toBe(
      `export const takeSentPetCreate: Take = /* @__PURE__ */ taking(() => ({
  nulls: fieldNames,
  defaults: { alive: true },
  values: {
    age: (value, fields) => {
      if (value !== undefined && holds(checkAgeSent, value)) return value;
      return roundUp(value, [1, 10]);
    },
    colour: (value, fields) => {
      if (value === undefined && holds(checkColourWhen, fields)) return "red";
      return value;
    },
  },
  known: fieldNames,
}));`,
    );
  });

  test("fills nothing into changes, and accepts in them what a reply can show", async () => {
    const files = await validatorOf(shop);
    expect(statement(files, "checks.ts", "export const takePetUpdateChangeAsSent")).toBe(
      "export const takePetUpdateChangeAsSent: Take = /* @__PURE__ */ taking(() => ({ known: fieldNames2 }));",
    );
    expect(statement(files, "operations/pets.ts", "function checkUpdatePetBody")).toBe(
      `function checkUpdatePetBody(value: unknown, faults: Faults, reject?: boolean): void {
  const before = faults.length;
  checkPetUpdate(value, faults, reject);
  if (reject) {
    refuseUnknown(value, faults, updatePetBodyFields);
  }
  if (faults.length > before) acceptShown(value, faults, before, shownPet());
}`,
    );
    expect(statement(files, "operations/pets.ts", "const shownPet")).toBe(
      "const shownPet = (): Readonly<Record<string, Check>> => ({ name: checkUpdatePetPetId });", // any string is valid, as for the id, so that they share one function
    );
  });

  test("has separate checks of responses", async () => {
    expect(statement(await validatorOf(shop), "replies.ts", "export const replies")).toBe(
      `/** By operation, status and media type. */
export const replies: Replies = {
  listPets: { "200": { "application/json": checkPet, "text/csv": unjudged } },
  createPet: { "200": { "application/json": checkPet }, "404": {} },
  updatePet: { "200": { "application/json": checkPet } },
};`,
    );
  });

  test("has an entry for each server", async () => {
    expect((await validatorOf(shop))["src/gen/express.ts"]).toBe(
      `// Generated by plumbline from the description. Change that, and generate again.

import type { OperationName } from "./names.js";
import { operations } from "./table.js";
import { type ExpressOptions, expressValidator } from "@plumbline/validator-runtime/express";

export interface ExpressValidatorOptions extends Omit<ExpressOptions, "operations" | "replies"> {
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
    replies: () => import("./replies.js").then((loaded) => loaded.replies),
  });
}

export { inputOf } from "@plumbline/validator-runtime";
`,
    );
  });
});

test("an invalid pattern fails the generation", async () => {
  const broken = withPaths(
    `/pets:
  get:
    operationId: listPets
    parameters: [{name: a, in: query, schema: {type: string, pattern: '('}}]
    responses: {'200': {description: ok}}
`,
    "",
  );
  await expect(validatorOf(broken)).rejects.toThrow("openapi.yaml:1:1 This pattern is not a valid regular expression.");
});
