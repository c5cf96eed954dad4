import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { emitServerErrors } from "./errors.js";
import { artifact, emittedDiagnostics, statementsOf } from "./generate-server.support.js";

const ok = "responses: {'200': {description: ok}}";

test("errors can be thrown by name, and errors with a condition are evaluated", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/pets:
  post:
    operationId: createPet
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    x-errors:
      - {id: no-such-pet, status: 404, field: id, summary: There is no such pet. Look again.}
      - {id: too-many, status: 400, field: null, reasonContains: ["65535"], summary: Too many., retry: true, when: {body: {required: [count]}}}
    ${ok}
`,
      `components:
  schemas:
    Pet: {type: object, properties: {toys: {type: array, items: {type: object, x-errors: [{id: dull, status: 400, when: {sent: {maxProperties: 1}}}]}}}}
x-errors: [{id: delete, status: 404}, {id: gone, status: 404, summary: It is gone.}]
`,
    ),
  );
  expect(await statementsOf(emitServerErrors(api, artifact))).toMatchInlineSnapshot(`
    "function checkCreatePetTooManyBody(value: unknown, issues: Issues): void {
      if (isObject(value) && !hasOwn(value, "count")) addIssueAt(issues, "count", "required");
    }

    function checkCreatePetDullSent(value: unknown, issues: Issues): void {
      if (isObject(value) && Object.keys(value).length > 1) addIssue(issues, "fields", undefined, 1);
    }

    export { NotImplementedError } from "@plumbline/server-runtime";

    /** Documented errors, for handlers to throw. */
    export interface Errors {
      /**
       * 404: delete.
       *
       * From spec/openapi.yaml#/x-errors/0
       */
      delete(options?: OperationErrorOptions): OperationError;
      /**
       * 404: It is gone.
       *
       * From spec/openapi.yaml#/x-errors/1
       */
      gone(options?: OperationErrorOptions): OperationError;
      /**
       * 404: There is no such pet. Look again.
       *
       * From spec/openapi.yaml#/paths/~1pets/post/x-errors/0
       */
      noSuchPet(options?: OperationErrorOptions): OperationError;
      /**
       * 400: Too many.
       *
       * From spec/openapi.yaml#/paths/~1pets/post/x-errors/1
       */
      tooMany(options?: OperationErrorOptions): OperationError;
      /**
       * 400: dull.
       *
       * From spec/openapi.yaml#/components/schemas/Pet/properties/toys/items/x-errors/0
       */
      dull(options?: OperationErrorOptions): OperationError;
    }

    export const errors: Errors = {
      delete: (options) => new OperationError("delete", options),
      gone: (options) => new OperationError("gone", options),
      noSuchPet: (options) => new OperationError("no-such-pet", options),
      tooMany: (options) => new OperationError("too-many", options),
      dull: (options) => new OperationError("dull", options),
    };

    /** Errors that all operations share. */
    export const sharedErrors: ErrorDefinitions = {
      delete: { status: 404, reason: "delete" },
      gone: { status: 404, reason: "It is gone" },
    };

    /** Errors of each operation, including those that all operations share. */
    export const operationErrors: Readonly<Record<string, ErrorDefinitions>> = {
      createPet: {
        ...sharedErrors,
        "no-such-pet": { status: 404, field: "id", reason: "There is no such pet" },
        "too-many": { status: 400, field: null, reason: "65535", retry: true },
        dull: { status: 400, reason: "dull" },
      },
    };

    /** The id of the shared error for each status. */
    export const sharedErrorByStatus: ErrorIdByStatus = { "404": "delete" };

    /** Errors with a condition, which the server evaluates. */
    export const conditionalErrors: Readonly<Record<string, readonly ErrorRule[]>> = {
      createPet: [
        { id: "too-many", when: { body: checkCreatePetTooManyBody }, pointer: [] },
        { id: "dull", when: { sent: checkCreatePetDullSent }, pointer: ["toys", "*"] },
      ],
    };"
  `);
});

test("names that every object has are names as well", async () => {
  const failing = "x-errors: [{id: value-of, status: 409, retry: true}, {id: constructor, status: 400}]";
  const text = await statementsOf(
    emitServerErrors(
      await buildFixtureApi(withPaths(`/pets: {get: {operationId: toString, ${failing}, ${ok}}}`)),
      artifact,
    ),
  );
  expect(text).toContain(`toString: {
    ...sharedErrors,
    "value-of": { status: 409, reason: "value-of", retry: true },
    constructor: { status: 400, reason: "constructor" } satisfies ErrorDefinition,
  } satisfies ErrorDefinitions,`);
});

test("errors without a usable name are all reported at once", async () => {
  const failing = "x-errors: [{id: '404', status: 404}, {id: no-pet, status: 404}, {id: no/pet, status: 404}]";
  const api = await buildFixtureApi(withPaths(`/pets: {get: {operationId: listPets, ${failing}, ${ok}}}`));
  expect(emittedDiagnostics(() => emitServerErrors(api, artifact))).toEqual([
    'names/unusable No name can be derived from the error "404".',
    'names/collision The errors "no-pet" and "no/pet" are both called noPet.',
  ]);
});
