import { testGenerator } from "@plumbline/kit/codegen/testing";
import { isDiagnosticsError } from "@plumbline/kit/model";
import { expect, test } from "vitest";
import handlersGenerator from "./index.js";

const description = `openapi: 3.1.0
info: {title: Pet shop, version: 1.0.0}
paths:
  /pets:
    get:
      operationId: listPets
      tags: [Our Pets]
      summary: Lists pets. */
      x-errors:
        - {id: too-many, status: 429, summary: Wait, reason: Too many}
        - {id: no-page, status: 404}
      responses: {'200': {description: All., content: {application/json: {schema: {$ref: '#/components/schemas/Pets'}}}}}
    delete: {operationId: deletePets, responses: {'204': {description: None.}}}
    put: {operationId: putPets, responses: {default: {description: Any.}}}
components: {schemas: {Pets: {type: array, items: {type: string}}}}
`;

test("a stub has the summary, the documented errors and the next step", async () => {
  const files = await run({});
  expect(files["src/handlers/our-pets.ts"]).toBe(`import { type Handlers, NotImplementedError } from "@acme/server";

export const ourPetsHandlers = {
  /**
   * Lists pets. *\\/
   *
   * GET /pets
   *
   * Errors:
   * - \`too-many\` (429): Wait
   * - \`no-page\` (404)
   */
  listPets: () => {
    // Next: return { status: 200, body }, where the body is of the type Pets.
    throw new NotImplementedError("listPets");
  },
} satisfies Pick<Handlers, "listPets">;
`);
  const untagged = files["src/handlers/default.ts"];
  expect(untagged).toContain("// Next: return { status: 204 }.\n");
  expect(untagged).toContain("// Next: return a documented response.\n");
});

test.each([
  [
    { files: "src/{tag}/handlers.ts" },
    ["src/our-pets/handlers.ts", "src/default/handlers.ts", "src/index.ts", "src/server.ts"],
  ],
  [
    { files: "features/{tag}.ts", index: "all.ts" },
    ["features/our-pets.ts", "features/default.ts", "all.ts", "server.ts"],
  ],
])("files are where the options %j say", async (config, paths) => {
  expect(Object.keys(await run(config))).toEqual([...paths, ".plumbline-handlers.json"]);
});

test.each([
  [
    { files: "src/handlers.ts" },
    "config/value The option `handlers.files` has no {tag}. Write a path such as src/handlers/{tag}.ts.",
  ],
  [
    { files: "../{tag}.ts" },
    "config/value The option `handlers.files` is not the path of a TypeScript file in the folder `out`. Write a relative path that ends in .ts.",
  ],
  [
    { index: "src/handlers/our-pets.ts" },
    "config/value The option `handlers.index` is also the path of the file for the tag our-pets. Write another path.",
  ],
])("the options %j are rejected", async (config, expected) => {
  expect(await diagnosticOf(run(config))).toBe(expected);
});

test("a package whose name does not say that of the server needs the option", async () => {
  expect(await diagnosticOf(testGenerator(handlersGenerator, { description, package: "@acme/api" }))).toBe(
    "config/value The option `handlers.server` is missing. Write the name of the server's package, such as server: '@acme/server'.",
  );
});

test.each(["node", "express", "fastify", "hono", "fetch"] as const)(
  "the server of %s has an adapter",
  async (adapter) => {
    const { "src/server.ts": text } = await run({ adapter });
    expect(text).toContain(`from "@acme/server/${adapter}";\n`);
    expect(text).toContain('import { handlers } from "./handlers/index.js";\n');
  },
);

test("a server and the files of a user stay", async () => {
  const output = { "src/server.ts": "// mine\n" };
  expect(Object.keys(await run({}, output))).not.toContain("src/server.ts");
  const broken = { "src/handlers/our-pets.ts": "export const = 1;\n", ".plumbline-handlers.json": '{"handlers": {}}' };
  expect(await diagnosticOf(run({}, broken))).toMatch(
    /^handlers\/syntax Variable declaration expected\. Correct the syntax/,
  );
  expect(await diagnosticOf(run({}, { ".plumbline-handlers.json": "<<<<<<<" }))).toMatch(
    /^handlers\/syntax This is not a list of handlers\. /,
  );
});

test("a handler that only its author can change is a warning", async () => {
  const output = { "src/handlers/our-pets.ts": 'export { ourPetsHandlers } from "@acme/pets";\n' };
  const warnings = await warningsOf(output);
  expect(warnings).toEqual([
    "artifact/src/handlers/our-pets.ts:1:1 handlers/unclear The handler `listPets` is missing, and this file composes its handlers in another way.",
  ]);
});

async function run(
  config: {
    readonly files?: string;
    readonly index?: string;
    readonly adapter?: "node" | "express" | "fastify" | "hono" | "fetch";
  },
  output: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  return testGenerator(handlersGenerator, { description, config, output, package: "@acme/handlers" });
}

async function warningsOf(output: Readonly<Record<string, string>>): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await testGenerator(
    {
      ...handlersGenerator,
      files: async (api, options) => {
        const warnings = (await handlersGenerator.warnings?.(api, options)) ?? [];
        found = warnings.map(
          ({ code, origin: { file, line, column }, message }) => `${file}:${line}:${column} ${code} ${message}`,
        );
        return [];
      },
    },
    { description, output, package: "@acme/handlers" },
  );
  return found;
}

async function diagnosticOf(running: Promise<unknown>): Promise<string> {
  const error: unknown = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isDiagnosticsError(error)) throw error;
  return error.diagnostics.map(({ code, message, fix }) => `${code} ${message} ${fix}`).join("\n");
}
