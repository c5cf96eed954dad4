import { expect, test } from "vitest";
import { apiOf, withPaths } from "../model/testing.support.js";
import { emitChanges, ordersOf } from "./changes.js";
import { artifact, statementsOf } from "./testing.support.js";
import { emitValues } from "./values.js";

const ok = "responses: {'200': {description: ok}}";
const body =
  "requestBody: {x-input: {merged: Whole}, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}";

test("changes are restricted, and the changed object is validated", async () => {
  const api = await apiOf(
    withPaths(
      `/pets: {get: {operationId: list-sizes, ${ok}}, post: {operationId: createPet, ${body}, ${ok}}, put: {operationId: setPet, ${body}, ${ok}}}`,
      `components:
  schemas:
    Pet:
      type: object
      properties:
        kind: {type: string, x-change: {rule: create-only}}
        tamed: {type: boolean, x-change: {rule: one-way, to: true, error: no-way-back}}
        age: {type: integer, x-change: {rule: increase}}
        size: {type: string, x-change: {rule: next, order: list-sizes}}
    Size: {type: object, x-resource: {owner: [platform], list: list-sizes}}
    Whole: {type: object, required: [kind]}
`,
    ),
  );
  expect(await statementsOf(emitChanges(api, artifact))).toMatchInlineSnapshot(`
    "export function checkWhole(value: unknown, faults: Faults, reject?: boolean): void {
      if (!isObject(value)) fail(faults, "type", "object");
      else {
        if (!hasOwn(value, "kind")) failAt(faults, "kind", "required");
      }
    }

    /** Fields with restricted changes. */
    export const changes: Readonly<Record<string, readonly Change[]>> = {
      setPet: [
        { pointer: ["tamed"], rule: "one-way", to: true, error: "no-way-back" },
        { pointer: ["age"], rule: "increase" },
        { pointer: ["size"], rule: "next", order: "listSizes" },
      ],
    };

    /** The check of the stored object with the changes applied. */
    export const merged: Readonly<Record<string, Check>> = { setPet: checkWhole };"
  `);
  expect(ordersOf(api)).toEqual([{ operation: "listSizes", shape: "Size" }]);
});

test("values that more than the body decides are the server's to find; of a change, none that is absent", async () => {
  const api = await apiOf(
    withPaths(
      `/pets: {post: {operationId: createPet, ${body}, ${ok}}, put: {operationId: setPet, ${body}, ${ok}}}`,
      `components:
  schemas:
    Whole: {}
    Pet:
      type: object
      properties:
        plain: {type: integer, x-value: [{absent: true, take: 1}]}
        owner: {type: string, x-value: [{absent: true, take: {from: $caller.user}}]}
        room: {type: integer, x-value: [{when: {target: {required: [full]}}, take: {ignore: true}}, {sent: {const: 0}, take: {from: $target#/room, times: 2}}]}
        pets: {type: array, items: {type: object, properties: {at: {type: string, x-value: [{absent: true, take: {by: platform}}]}}}}
`,
    ),
  );
  expect(await statementsOf(emitValues(api, artifact))).toMatchInlineSnapshot(`
    "function checkCreatePetRoomTarget(value: unknown, faults: Faults, reject?: boolean): void {
      if (isObject(value)) {
        if (!hasOwn(value, "full")) failAt(faults, "full", "required");
      }
    }

    function checkCreatePetRoomSent(value: unknown, faults: Faults, reject?: boolean): void {
      if (value !== 0) fail(faults, "const", 0);
    }

    /** Body fields whose value depends on stored data or on the caller. */
    export const values: Readonly<Record<string, readonly FieldValues[]>> = {
      createPet: [
        {
          pointer: ["owner"],
          rules: [{ absent: true, take: { kind: "from", from: { root: "caller", name: "user", pointer: [] } } }],
        },
        {
          pointer: ["room"],
          rules: [
            { when: { target: checkCreatePetRoomTarget }, take: { kind: "ignore" } },
            { sent: checkCreatePetRoomSent, take: { kind: "from", from: { root: "target", pointer: ["room"] }, times: 2 } },
          ],
        },
        { pointer: ["pets", "*", "at"], rules: [{ absent: true, take: { kind: "platform" } }] },
      ],
      setPet: [
        {
          pointer: ["room"],
          rules: [
            { when: { target: checkCreatePetRoomTarget }, take: { kind: "ignore" } },
            { sent: checkCreatePetRoomSent, take: { kind: "from", from: { root: "target", pointer: ["room"] }, times: 2 } },
          ],
        },
      ],
    };"
  `);
});
