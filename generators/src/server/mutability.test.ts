import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { artifact, statementsOf } from "./generate-server.support.js";
import { emitMutability, valueOrders } from "./mutability.js";
import { carriedValidator } from "./validator.js";
import { emitStoredValueRules } from "./values.js";

const ok = "responses: {'200': {description: ok}}";
const body =
  "requestBody: {x-input: {merged: Whole}, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}";

test("changes are restricted, and the changed object is validated", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {get: {operationId: list-sizes, ${ok}}, post: {operationId: createPet, ${body}, ${ok}}, put: {operationId: setPet, ${body}, ${ok}}}`,
      `components:
  schemas:
    Pet:
      type: object
      properties:
        kind: {type: string, x-mutability: {rule: immutable}}
        tamed: {type: boolean, x-mutability: {rule: one-way, to: true, error: no-way-back}}
        age: {type: integer, x-mutability: {rule: increase}}
        size: {type: string, x-mutability: {rule: next, order: list-sizes}}
    Size: {type: object, x-resource: {owner: [platform], list: list-sizes}}
    Whole: {type: object, required: [kind]}
`,
    ),
  );
  expect(await statementsOf(emitMutability(api, artifact, carriedValidator))).toMatchInlineSnapshot(`
    "/** Fields with restricted changes. */
    export const mutability: Readonly<Record<string, readonly MutabilityRule[]>> = {
      setPet: [
        { pointer: ["tamed"], rule: "one-way", to: true, error: "no-way-back" },
        { pointer: ["age"], rule: "increase" },
        { pointer: ["size"], rule: "next", order: "listSizes" },
      ],
    };

    /** The check of the stored object with the changes applied. */
    export const mergedSchemas: Readonly<Record<string, Check>> = { setPet: checkWhole };"
  `);
  expect(valueOrders(api)).toEqual([{ operation: "listSizes", resource: "Size" }]);
});

test("a changed object of an unknown schema is not validated", async () => {
  const api = await buildFixtureApi(
    withPaths(`/pets: {put: {operationId: setPet, ${body}, ${ok}}}`, "components: {schemas: {Pet: {type: object}}}"),
  );
  expect(await statementsOf(emitMutability(api, artifact, carriedValidator))).toContain(
    "Readonly<Record<string, Check>> = {};",
  );
});

test("values that more than the body decides are the server's to find; of a change, none that is absent", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {post: {operationId: createPet, ${body}, ${ok}}, put: {operationId: setPet, ${body}, ${ok}}}`,
      `components:
  schemas:
    Whole: {}
    Pet:
      type: object
      properties:
        plain: {type: integer, x-value: [{absent: true, set: 1}]}
        owner: {type: string, x-value: [{absent: true, set: {from: $caller.user}}]}
        room: {type: integer, x-value: [{when: {target: {required: [full]}}, set: {ignore: true}}, {matches: {const: 0}, set: {from: $target#/room, times: 2}}]}
        pets: {type: array, items: {type: object, properties: {at: {type: string, x-value: [{absent: true, set: {by: platform}}]}}}}
`,
    ),
  );
  expect(await statementsOf(emitStoredValueRules(api, artifact))).toMatchInlineSnapshot(`
    "function checkWithFull(value: unknown, issues: Issues): void {
      if (isObject(value) && !hasOwn(value, "full")) addIssueAt(issues, "full", "required");
    }

    function checkPetRoomSent(value: unknown, issues: Issues): void {
      if (value !== 0) addIssue(issues, "const", 0);
    }

    /** Body fields whose value depends on stored data or on the caller. */
    export const storedValueRules: Readonly<Record<string, readonly FieldValues[]>> = {
      createPet: [
        {
          pointer: ["owner"],
          rules: [{ absent: true, set: { kind: "from", from: { root: "caller", name: "user", pointer: [] } } }],
        },
        {
          pointer: ["room"],
          rules: [
            { when: { target: checkWithFull }, set: { kind: "ignore" } },
            { matches: checkPetRoomSent, set: { kind: "from", from: { root: "target", pointer: ["room"] }, times: 2 } },
          ],
        },
        { pointer: ["pets", "*", "at"], rules: [{ absent: true, set: { kind: "platform" } }] },
      ],
      setPet: [
        {
          pointer: ["room"],
          rules: [
            { when: { target: checkWithFull }, set: { kind: "ignore" } },
            { matches: checkPetRoomSent, set: { kind: "from", from: { root: "target", pointer: ["room"] }, times: 2 } },
          ],
        },
      ],
    };"
  `);
});
