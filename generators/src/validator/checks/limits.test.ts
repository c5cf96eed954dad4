import { expect, test } from "vitest";
import { runGenerator } from "../../generator.js";
import { apiOf, withPaths } from "../../model/testing.support.js";
import { validator } from "../index.js";

const zoo = withPaths(
  `/pets:
  post:
    operationId: createPet
    tags: [Pets]
    requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    responses: {'204': {description: ok}}
`,
  `components:
  schemas:
    Pet:
      type: object
      x-limits: [{id: names, kind: combined-length, by: [name, nickname], max: 20}]
      properties: {name: {type: string}, nickname: {type: string}, toys: {$ref: '#/components/schemas/Toys'}}
    Toys: {type: array, items: {type: string}, x-limits: [{id: toys, kind: combined-length, max: 30}]}
`,
);

test("texts have a length together, whether they are fields or items", async () => {
  const files = runGenerator(validator, await apiOf(zoo), { package: "v", private: true, source: () => "" });
  const checks = files.find((file) => file.path === "src/gen/checks.ts");
  const text = checks !== undefined && "text" in checks ? checks.text : "";
  expect(text).toContain(
    'if (combinedLength(value, ["name", "nickname"]) > 20) fail(faults, "combined", ["name", "nickname"], 20);',
  );
  expect(text).toContain('if (textLength(value) > 30) fail(faults, "combined", undefined, 30);');
});
