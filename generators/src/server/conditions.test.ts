import { expect, test } from "vitest";
import { formatted } from "../emit/format.js";
import { code, print } from "../emit/printer.js";
import { NamedChecks } from "../judging/checks.js";
import { Pool } from "../judging/checks/pool.js";
import { apiOf, withSchemas } from "../model/testing.support.js";
import { emitCondition } from "./conditions.js";
import { artifact } from "./testing.support.js";

test.each([
  ["a field that changes", "changes: [label, tags]", 'const when: Condition = { changes: ["label", "tags"] };'],
  [
    "two values of the request and the store",
    "compare: ['$request.body#/size', lte, '$target#/size']",
    `const when: Condition = {
  compare: [{ root: "request", part: "body", pointer: ["size"] }, "lte", { root: "target", pointer: ["size"] }],
};`,
  ],
  [
    "a value that is given",
    "compare: ['$caller.user', in, [1, {root: 2}]]",
    'const when: Condition = { compare: [{ root: "caller", name: "user", pointer: [] }, "in", { value: [1, { root: 2 }] }] };',
  ],
])("%s is compared as data", async (_, when, expected) => {
  expect(await conditionOf(when)).toBe(expected);
});

test("schemas are compiled, and those with a name stand where named checks do", async () => {
  const when =
    "body: {$ref: '#/components/schemas/Pet'}, caller: {required: [id]}, refs: {'disks.id': {required: [ready]}}";
  expect(await conditionOf(when)).toBe(`function checkACaller(value: unknown, faults: Faults, reject?: boolean): void {
  if (isObject(value)) {
    if (!hasOwn(value, "id")) failAt(faults, "id", "required");
  }
}

function checkADisksId(value: unknown, faults: Faults, reject?: boolean): void {
  if (isObject(value)) {
    if (!hasOwn(value, "ready")) failAt(faults, "ready", "required");
  }
}

export function checkPet(value: unknown, faults: Faults, reject?: boolean): void {
  if (typeof value !== "string") fail(faults, "type", "string");
}

const when: Condition = { caller: checkACaller, body: checkPet, refs: { "disks.id": checkADisksId } };`);
});

/** Returns the printed condition of an error with its dependencies, without imports. */
async function conditionOf(when: string): Promise<string> {
  const api = await apiOf(
    withSchemas(`
Pet: {type: string}
A: {type: object, x-errors: [{id: a, status: 400, when: {${when}}}]}
`),
  );
  const failure = api.shapes.find((each) => each.name === "A")?.shape.failures?.[0];
  const checks = new NamedChecks(api);
  const pool = new Pool(["when"], artifact.locate);
  const condition = emitCondition(failure?.when ?? {}, checks.around(pool, "judged"), "a");
  const statements = [...checks.print(pool), code`const when: Condition = ${condition};`];
  const { text } = await formatted({ path: "a.ts", text: print(statements, code``) });
  return text.replaceAll(/^import [^;]*;\n/gm, "").trim();
}
