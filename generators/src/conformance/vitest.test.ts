import { testGenerator } from "@plumbline/kit/codegen/testing";
import { expect, test } from "vitest";
import conformanceGenerator from "./index.js";

const description = `openapi: 3.1.0
info: {title: Pet shop, version: 1.0.0}
servers: [{url: https://pets.example}]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components: {schemas: {Pet: {type: object, required: [id], properties: {id: {type: integer}}}}}
`;

test("a suite has no tests unless they are wanted", async () => {
  const files = await testGenerator(conformanceGenerator, { description, package: "@pets/conformance" });
  expect(Object.keys(files).filter((file) => /vitest|matchers/.test(file))).toEqual([]);
  expect(Object.values(files).join("\n")).not.toMatch(/vitest/i);
});

test("with `vitest`, it has typed matchers, and an optional peer", async () => {
  const files = await testGenerator(conformanceGenerator, {
    description,
    package: "@pets/conformance",
    config: { vitest: true },
  });
  expect(files["src/gen/matchers.ts"]).toContain('export type OperationName = "getPet";');
  expect(files["src/gen/matchers.ts"]).toContain('export type SchemaName = "Pet";');
  expect(files["src/gen/vitest.ts"]).toContain("registerConformanceTests(suite, options, {");
  expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
    exports: { "./vitest": { default: "./dist/gen/vitest.js" }, "./matchers": { default: "./dist/gen/matchers.js" } },
    peerDependencies: { vitest: ">=3.2.0" },
    peerDependenciesMeta: { vitest: { optional: true } },
  });
  expect(files["README.md"]).toContain('await expect(response).toMatchOperation("getPet");');
});
