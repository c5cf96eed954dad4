import { expect, test } from "vitest";
import { apiOf, withPaths } from "../model/testing.support.js";
import { emitErrors } from "./errors.js";
import { artifact, refusalOf, statementsOf } from "./testing.support.js";

const ok = "responses: {'200': {description: ok}}";

test("errors can be thrown by name, and errors with a condition are evaluated", async () => {
  const api = await apiOf(
    withPaths(
      `/pets:
  post:
    operationId: createPet
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    x-errors:
      - {id: no-such-pet, status: 404, field: id, summary: There is no such pet. Look again.}
      - {id: too-many, status: 400, field: null, mentions: ["65535"], summary: Too many., retry: true, when: {body: {required: [count]}}}
    ${ok}
`,
      `components:
  schemas:
    Pet: {type: object, properties: {toys: {type: array, items: {type: object, x-errors: [{id: dull, status: 400, when: {sent: {maxProperties: 1}}}]}}}}
x-errors: [{id: delete, status: 404}, {id: gone, status: 404, summary: It is gone.}]
`,
    ),
  );
  expect(await statementsOf(emitErrors(api, artifact))).toMatchInlineSnapshot(`
    "function checkCreatePetTooManyBody(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        if (!hasOwn(value, "count")) failAt(faults, "count", "required");
      }
    }

    function checkCreatePetDullSent(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        if (Object.keys(value).length > 1) fail(faults, "fields", undefined, 1);
      }
    }

    /** Documented errors, for handlers to throw. */
    export interface Errors {
      /**
       * 404: delete
       *
       * From spec/openapi.yaml#/x-errors/0
       */
      delete(detail?: Detail): Refused;
      /**
       * 404: It is gone.
       *
       * From spec/openapi.yaml#/x-errors/1
       */
      gone(detail?: Detail): Refused;
      /**
       * 404: There is no such pet. Look again.
       *
       * From spec/openapi.yaml#/paths/~1pets/post/x-errors/0
       */
      noSuchPet(detail?: Detail): Refused;
      /**
       * 400: Too many.
       *
       * From spec/openapi.yaml#/paths/~1pets/post/x-errors/1
       */
      tooMany(detail?: Detail): Refused;
      /**
       * 400: dull
       *
       * From spec/openapi.yaml#/components/schemas/Pet/properties/toys/items/x-errors/0
       */
      dull(detail?: Detail): Refused;
    }

    export const errors: Errors = {
      delete: (detail) => new Refused("delete", detail),
      gone: (detail) => new Refused("gone", detail),
      noSuchPet: (detail) => new Refused("no-such-pet", detail),
      tooMany: (detail) => new Refused("too-many", detail),
      dull: (detail) => new Refused("dull", detail),
    };

    /** Errors that all operations share. */
    export const sharedFailures: Failures = {
      delete: { status: 404, reason: "delete" },
      gone: { status: 404, reason: "It is gone" },
    };

    /** Errors of each operation, including those that all operations share. */
    export const failures: Readonly<Record<string, Failures>> = {
      createPet: {
        ...sharedFailures,
        "no-such-pet": { status: 404, field: "id", reason: "There is no such pet" },
        "too-many": { status: 400, field: null, reason: "65535", retry: true },
        dull: { status: 400, reason: "dull" },
      },
    };

    /** The id of the shared error for each status. */
    export const byStatus: Shared = { "404": "delete" };

    /** Errors with a condition, which the server evaluates. */
    export const refusals: Readonly<Record<string, readonly RefusalRule[]>> = {
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
    emitErrors(await apiOf(withPaths(`/pets: {get: {operationId: toString, ${failing}, ${ok}}}`)), artifact),
  );
  expect(text).toContain(`toString: {
    ...sharedFailures,
    "value-of": { status: 409, reason: "value-of", retry: true },
    constructor: { status: 400, reason: "constructor" } satisfies Failure,
  } satisfies Failures,`);
});

test("errors without a usable name are all reported at once", async () => {
  const failing = "x-errors: [{id: '404', status: 404}, {id: no-pet, status: 404}, {id: no/pet, status: 404}]";
  const api = await apiOf(withPaths(`/pets: {get: {operationId: listPets, ${failing}, ${ok}}}`));
  expect(refusalOf(() => emitErrors(api, artifact))).toEqual([
    'names/unusable No name can be derived from the error "404".',
    'names/collision The errors "no-pet" and "no/pet" are both called noPet.',
  ]);
});
