import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import * as model from "./index.js";
import { publicFields } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../docs/model.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/kit/model"));
});

test("the README's example works", async () => {
  const body = (schema: string) => `{'200': {description: It., content: {application/json: {schema: ${schema}}}}}`;
  const api = await buildFixtureApi(`openapi: 3.1.0
info: {title: Pets, version: '1'}
security: [{token: []}]
paths:
  /pets:
    get: {operationId: getPet, security: [], responses: ${body("{$ref: '#/components/schemas/Pet'}")}}
    post: {operationId: addPet, responses: ${body("{type: object}")}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Pet: {allOf: [{$ref: '#/components/schemas/Named'}], properties: {id: {type: integer}}}
    Named: {type: object, properties: {name: {type: string}}}
`);
  expect(publicFields(api)).toEqual({ getPet: ["id", "name"] });
});

test("the README names every function", async () => {
  const page = await read("../../docs/model.md");
  expect(Object.keys(model).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
