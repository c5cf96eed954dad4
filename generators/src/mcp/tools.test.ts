import { testGenerator } from "@plumbline/kit/codegen/testing";
import type { ToolData, ToolsetData } from "@plumbline/mcp-runtime";
import { describe, expect, it } from "vitest";
import mcpGenerator from "./index.js";

/** Returns the toolset of these paths, with further members of the description. */
async function toolsetOf(paths: string, more = ""): Promise<ToolsetData> {
  const description = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: https://pets.example/v1}]
${more}paths:
${paths}`;
  const files = await testGenerator(mcpGenerator, { description, package: "@pets/mcp" });
  return JSON.parse(files["data/toolset.json"] ?? "") as ToolsetData;
}

async function toolsOf(paths: string, more = ""): Promise<Readonly<Record<string, ToolData>>> {
  const { tools } = await toolsetOf(paths, more);
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

const ok = "responses: {'200': {description: Fine.}}";

describe("an operation becomes a tool", () => {
  it("with all that a model needs, in few words", async () => {
    const { getPet } = await toolsOf(
      `
  /pets/{pet-id}:
    get:
      operationId: getPet
      tags: [pets]
      summary: Get a pet
      description: |
        Returns one pet, e.g. a [dog](https://dogs.example). It has a name.

        A second paragraph is for people.
      deprecated: true
      security: [{bearer: [pets, all]}, {bearer: [admin]}]
      parameters:
        - {name: pet-id, in: path, required: true, description: The pet., schema: {type: integer, format: int64}}
        - {name: 'filter[name]', in: query, schema: {type: string, format: date}}
        - {name: body, in: query, schema: {type: boolean}}
        - {name: confirm, in: header, schema: {type: boolean}}
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties:
                  id: {type: integer, minimum: 1}
                  password: {type: string, writeOnly: true}
                  owner: {type: [object, 'null'], properties: {name: {type: string}}}
                  visits: {type: array, items: {type: object, properties: {at: {type: string}, by: {type: object, properties: {id: {}}}}}}
`,
      "components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}\n",
    );
    expect(getPet).toEqual({
      name: "getPet",
      tag: "pets",
      title: "Get a pet",
      description: "Returns one pet, e.g. a dog. It has a name. Needs pets and all, or admin. Deprecated.",
      access: "read",
      idempotent: true,
      destructive: false,
      scopes: [["pets", "all"], ["admin"]],
      anonymous: false,
      arguments: {
        "pet-id": { in: "path", name: "pet-id" },
        filter_name: { in: "query", name: "filter[name]" },
        body_query: { in: "query", name: "body" },
        confirm_header: { in: "headers", name: "confirm" },
      },
      inputSchema: {
        type: "object",
        properties: {
          "pet-id": { type: "integer", description: "The pet." },
          filter_name: { type: "string", format: "date" },
          body_query: { type: "boolean" },
          confirm_header: { type: "boolean" },
        },
        required: ["pet-id"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          id: { type: "integer" },
          owner: { type: ["object", "null"] },
          visits: {
            type: "array",
            items: { type: "object", properties: { at: { type: "string" }, by: { type: "object" } } },
          },
        },
      },
      errors: [],
    });
  });

  it("with a body without references, conditions and what a request does not contain", async () => {
    const { addPet } = await toolsOf(
      `
  /pets:
    post:
      operationId: addPet
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      ${ok}
`,
      `components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      if: {properties: {kind: {const: dog}}}
      then: {required: [bark]}
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, maxLength: 20, pattern: '^[a-z]+$', description: Its name.}
        odd: {type: string, pattern: '^(?!x)'}
        parent: {$ref: '#/components/schemas/Pet'}
        tags: {type: object, additionalProperties: true}
        closed: {type: object, additionalProperties: false}
`,
    );
    expect(addPet?.inputSchema).toEqual({
      type: "object",
      properties: {
        body: {
          type: "object",
          properties: {
            name: { type: "string", description: "Its name.", pattern: "^[a-z]+$", maxLength: 20 },
            odd: { type: "string" },
            parent: { type: "object" },
            tags: { type: "object" },
            closed: { type: "object", additionalProperties: false },
          },
          required: ["name"],
        },
      },
      required: ["body"],
      additionalProperties: false,
    });
    expect(addPet).toMatchObject({ access: "write", idempotent: false, destructive: false });
  });

  it("with the description of a parameter in place of a large schema", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `name-${index}`).join(", ");
    const { listPets } = await toolsOf(`
  /pets:
    get:
      operationId: listPets
      parameters: [{name: sort, in: query, description: 'How to sort.', schema: {type: string, enum: [${names}]}}]
      ${ok}
`);
    expect(listPets?.inputSchema.properties).toEqual({ sort: { type: "string", description: "How to sort." } });
  });

  it("with a name that clients accept, even if the description has a longer one", async () => {
    const long = "a".repeat(70);
    const names = Object.keys(
      await toolsOf(`
  /a: {get: {operationId: ${long}b, ${ok}}}
  /b: {get: {operationId: ${long}c, ${ok}}}
`),
    );
    expect(names).toEqual(["a".repeat(64), `${"a".repeat(60)}_2`]);
  });
});

describe("what a tool may do follows from", () => {
  it("the method", async () => {
    const methods = ["get", "post", "put", "patch", "delete"];
    const tools = await toolsOf(
      `  /a:\n${methods.map((method) => `    ${method}: {operationId: ${method}A, ${ok}}\n`).join("")}`,
    );
    const hints = Object.values(tools).map(({ access, idempotent, destructive }) => [access, idempotent, destructive]);
    expect(hints).toEqual([
      ["read", true, false],
      ["write", false, false],
      ["write", true, true],
      ["write", false, true],
      ["delete", true, true],
    ]);
  });

  it("effects and resources", async () => {
    const effect = (does: string, to: string) =>
      `x-effects: [{id: e-${does}, does: ${does}, to: ${to}, summary: Why.}]`;
    const tools = await toolsOf(
      `
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getPet, ${ok}}
  /pets/{id}/visit: {get: {operationId: visitPet, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], ${effect("set", "Pet")}, ${ok}}}
  /search: {post: {operationId: searchPets, ${ok}}}
  /reset: {post: {operationId: resetPets, ${effect("replace", "Pet")}, ${ok}}}
  /index: {post: {operationId: indexPets, ${effect("replace", "searchPets")}, ${ok}}}
`,
      `components:
  schemas: {Pet: {type: object, properties: {id: {type: integer}}, x-resource: {owner: [account], read: getPet, list: searchPets}}}
`,
    );
    const found = Object.fromEntries(Object.entries(tools).map(([name, { access }]) => [name, access]));
    expect(found).toEqual({
      getPet: "read",
      visitPet: "write",
      searchPets: "read",
      resetPets: "delete",
      indexPets: "write",
    });
  });
});

it("operations that no model can call have no tool, and the README has the reasons", async () => {
  const description = `openapi: 3.2.0
info: {title: Pets, version: 1.0.0}
components: {securitySchemes: {key: {type: apiKey, in: query, name: k}, other: {type: http, scheme: basic}}}
paths:
  /a: {get: {operationId: getA, security: [{key: []}], ${ok}}}
  /b: {get: {operationId: getB, security: [{key: []}], ${ok}}}
  /c: {get: {operationId: getC, security: [{other: []}], ${ok}}}
  /d: {put: {operationId: putD, requestBody: {required: true, content: {image/png: {}}}, ${ok}}}
  /e: {get: {operationId: getE, responses: {'200': {description: Events., content: {text/event-stream: {itemSchema: {}}}}}}}
`;
  const files = await testGenerator(mcpGenerator, { description, package: "pets-mcp" });
  const data = JSON.parse(files["data/toolset.json"] ?? "") as ToolsetData;
  expect(data.tools.map(({ name }) => name)).toEqual(["getA", "getB"]);
  expect(data).toMatchObject({
    command: "pets-mcp",
    environment: "PETS",
    credential: { kind: "apiKey", in: "query", name: "k" },
  });
  expect(data.url).toBeUndefined();
  expect(files["README.md"]).toContain(`- \`getC\`: it requires another credential than \`key\`
- \`putD\`: its request body is neither JSON, a form nor text
- \`getE\`: its response is a stream without an end
`);
  expect(files["src/gen/toolset.ts"]).toContain('from "pets-client"');
});

it("the client is named by the package, or by an option", async () => {
  const description = `{openapi: 3.1.0, info: {title: A, version: '1'}, paths: {/a: {get: {operationId: toolset, ${ok}}}}}`;
  const test = { description, package: "@a/tools" };
  await expect(testGenerator(mcpGenerator, test)).rejects.toThrow("Missing option `client`");
  const files = await testGenerator(mcpGenerator, { ...test, config: { client: "@a/sdk" } });
  expect(files["src/gen/toolset.ts"]).toMatch(/import \{ toolset as \$?\w+ \} from "@a\/sdk"/);
});

describe("the schema of a body", () => {
  const postOf = (schema: string): string => `  /pets:
    post: {operationId: addPet, requestBody: {content: {application/json: {schema: ${schema}}}}, ${ok}}
`;
  const bodyOf = async (schema: string, more?: string): Promise<object> =>
    (await toolsOf(postOf(schema), more))["addPet"]?.inputSchema.properties?.["body"] ?? {};

  it("has as many levels as 16 kB hold, and says what it leaves out", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const levels = (depth: number): string =>
      depth === 0
        ? "{type: string}"
        : `{type: object, properties: {${names.map((name) => `${name}: {$ref: '#/components/schemas/L${depth - 1}'}`).join(", ")}}}`;
    const schemas = Array.from({ length: 12 }, (_, depth) => `    L${depth}: ${levels(depth)}\n`).join("");
    const body = JSON.stringify(
      await bodyOf("{$ref: '#/components/schemas/L11'}", `components:\n  schemas:\n${schemas}`),
    );
    expect(body.length).toBeLessThan(16_100);
    expect(body).toContain('{"type":"object","description":"Its contents are left out here."}');
    const small = JSON.stringify(
      await bodyOf("{$ref: '#/components/schemas/L2'}", `components:\n  schemas:\n${schemas}`),
    );
    expect(small).not.toContain("left out");
  });

  it("is open for alternatives that refer to each other without end", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
    const schemas = names.map(
      (name) =>
        `    ${name}: {anyOf: [${names.map((each) => `{$ref: '#/components/schemas/${each}'}`).join(", ")}, {type: string}]}\n`,
    );
    const body = await bodyOf("{$ref: '#/components/schemas/S0'}", `components:\n  schemas:\n${schemas.join("")}`);
    expect(body).toEqual({});
  });

  it("has patterns that validators with the flag `u` accept", async () => {
    const schema =
      "{type: object, properties: {a: {type: string, pattern: '^[\\w-.]+$'}, b: {type: string, pattern: '^[a-z]+$'}}, patternProperties: {'^x\\-': {type: string}}}";
    expect(await bodyOf(schema)).toEqual({
      type: "object",
      patternProperties: { "^x-": { type: "string" } },
      properties: { a: { type: "string", pattern: "^[\\w\\-.]+$" }, b: { type: "string", pattern: "^[a-z]+$" } },
    });
  });
});

it.each([
  ["its usual name", "X-OAuth-Scopes", ""],
  ["the name that the description states", "Granted", "x-headers: {scopes: Granted}\n"],
])("the scopes of a token are read from the header with %s", async (_, header, stated) => {
  const paths = `
  /pets: {get: {operationId: listPets, security: [{key: []}], responses: {'200': {description: Fine., headers: {${header}: {schema: {type: string}}}}}}}
`;
  const schemes = "components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n";
  expect((await toolsetOf(paths, `${stated}${schemes}`)).scopeSource).toEqual({ tool: "listPets", header });
});
