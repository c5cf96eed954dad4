import { formatFile, code, printSourceFile } from "@plumbline/kit/codegen";
import { emitCondition } from "@plumbline/kit/codegen/conditions";
import { NamedChecks, HoistedConstants } from "@plumbline/kit/codegen/validation";
import { buildFixtureApi, withSchemas } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { artifact } from "./generate-server.support.js";

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
  expect(await conditionOf(when)).toBe(`function checkACaller(value: unknown, issues: Issues): void {
  if (isObject(value) && !hasOwn(value, "id")) addIssueAt(issues, "id", "required");
}

function checkADisksId(value: unknown, issues: Issues): void {
  if (isObject(value) && !hasOwn(value, "ready")) addIssueAt(issues, "ready", "required");
}

export function checkPet(value: unknown, issues: Issues): void {
  if (typeof value !== "string") addIssue(issues, "type", "string");
}

const when: Condition = { caller: checkACaller, body: checkPet, refs: { "disks.id": checkADisksId } };`);
});

/** Returns the printed condition of an error with its dependencies, without imports. */
async function conditionOf(when: string): Promise<string> {
  const api = await buildFixtureApi(
    withSchemas(`
Pet: {type: string}
A: {type: object, x-errors: [{id: a, status: 400, when: {${when}}}]}
`),
  );
  const error = api.schemas.find((each) => each.name === "A")?.schema.errors?.[0];
  const checks = new NamedChecks(api);
  const pool = new HoistedConstants(["when"], artifact.locate);
  const condition = emitCondition(error?.when ?? {}, checks.context(pool, "validated"), "a");
  const statements = [...checks.print(pool), code`const when: Condition = ${condition};`];
  const { text } = await formatFile({ path: "a.ts", text: printSourceFile(statements) });
  return text.replaceAll(/^import [^;]*;\n/gm, "").trim();
}
