import mockGenerator from "@plumbline/generators/mock";
import serverGenerator from "@plumbline/generators/server";
import { testGenerator, testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import siteGenerator from "../index.js";
import { createConsole, readMockData } from "./create-console.js";

const description = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'http://pets.example/v1'}]
paths:
  /pets:
    post:
      operationId: createPet
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components: {schemas: {Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}}}
`;
const generators = { server: serverGenerator, mock: mockGenerator };
const page = "operations/createPet.html";
const policyOf = (html = ""): string => /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";

test("the scripts are the same in each run, and have no paths of this machine", async () => {
  const [one, other] = [
    await testGenerator(siteGenerator, { description, generators }),
    await testGenerator(siteGenerator, { description, generators }),
  ];
  for (const name of ["assets/console.js", "assets/mock.js"]) {
    expect(one[name]?.length).toBeGreaterThan(5_000);
    expect(one[name]).toBe(other[name]);
    expect(one[name]).not.toContain(process.cwd());
    expect(one[name]).not.toContain("node_modules");
  }
  expect(one[page]).toContain("data-console");
});

test("a page with a console connects to servers, and only to them", async () => {
  const files = await testGenerator(siteGenerator, { description, generators });
  expect(policyOf(files[page]).replaceAll("&#x27;", "'")).toBe(
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'; " +
      "connect-src 'self' https: http://localhost:* http://127.0.0.1:* http://pets.example",
  );
  expect(policyOf(files["index.html"])).not.toContain("connect-src");
});

test("there is no console without the option", async () => {
  const files = await testGenerator(siteGenerator, { description, generators, config: { console: false } });
  expect(Object.keys(files).filter((name) => /console|mock/.test(name))).toEqual([]);
  expect(files[page]).not.toContain("data-console");
  expect(policyOf(files[page])).not.toContain("connect-src");
});

test("other options of the same model give another console", async () => {
  const api = await buildFixtureApi(description);
  const options = { mockData: {}, maxMockedOperations: 0, generateFiles: () => Promise.reject(new Error("no files")) };
  const withConsole = await createConsole(api, { ...options, console: true });
  expect(withConsole.console?.script.length).toBeGreaterThan(5_000);
  expect(await createConsole(api, { ...options, console: true })).toBe(withConsole);
  expect((await createConsole(api, { ...options, console: false })).console).toBeUndefined();
});

test("above the maximum number of operations, there is a console without a mock, and a warning", async () => {
  const files = await testGenerator(siteGenerator, { description, generators, config: { maxMockedOperations: 1 } });
  expect(files["assets/mock.js"]).toBeUndefined();
  expect(files[page]).toContain("data-console");
  expect(files[page]).not.toContain('"mock":');
  expect(await warningsOf({ maxMockedOperations: 1 })).toEqual([
    "site/no-mock The console has no mock: the description has 2 operations, more than 1.",
  ]);
  expect(await warningsOf({ maxMockedOperations: 2 })).toEqual([]);
});

test("where the server cannot be generated, there is no console, and a warning", async () => {
  const failing = { ...generators, server: { files: () => Promise.reject(new Error("No routes.\nAt all.")) } };
  const files = await testGenerator(siteGenerator, { description, generators: failing });
  expect(files[page]).not.toContain("data-console");
  expect(await warningsOf({}, failing)).toEqual([
    "site/no-mock The site has no console, because there is no mock of the description: No routes.",
  ]);
});

test("the mock has objects of known resources from the start", async () => {
  const api = await buildFixtureApi(description);
  const [resource = ""] = Object.keys(readMockData(api, '{"/pets/{id}": {"id": 1}}'));
  expect(readMockData(api, '{"/pets/{id}": {"id": 1}}')).toEqual({ [resource]: [{ id: 1 }] });
  expect(() => readMockData(api, '{"Cat": []}')).toThrow("objects of Cat, which is not a resource");
  expect(() => readMockData(api, "[]")).toThrow("has no object");
});

/** The warnings of a site: code and message. */
async function warningsOf(
  config: object,
  given: Record<string, { readonly files: unknown }> = generators,
): Promise<readonly string[]> {
  const api = await buildFixtureApi(description);
  const found = await siteGenerator.warnings?.(api, {
    ...testOptions("@pets/site"),
    config: {
      client: undefined,
      console: true,
      maxMockedOperations: 300,
      mockData: undefined,
      previous: undefined,
      ...config,
    },
    input: { previous: undefined, mockData: {} },
    generateFiles: async (kind, { package: name, config: values = {} }) => {
      const { files } = given[kind] as { readonly files: (...all: readonly unknown[]) => never };
      return files(api, { ...testOptions(name), config: values });
    },
  });
  return (found ?? []).map(({ code, message }) => `${code} ${message}`);
}
