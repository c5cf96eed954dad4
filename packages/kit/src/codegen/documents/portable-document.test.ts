import path from "node:path";
import { describe, expect, test } from "vitest";
import { valueAt, type Json } from "../../model/index.js";
import { buildApi, bundleDescription, loadDescription } from "../../openapi/index.js";
import { withFixtureFolder } from "../../openapi/testing.js";
import { createPortableDocument, type PortableDocumentOptions } from "./portable-document.js";

const shop = `openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
servers: [{url: https://shop.example}]
paths:
  /pets:
    parameters: []
    get:
      operationId: listPets
      x-note: 1
      x-codeSamples: [{lang: Go, source: own}]
      responses:
        '200': {description: All., content: {application/json; charset=utf-8: {schema: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Pet'}}}}}
        '404': {$ref: '#/components/responses/Missing'}
    post:
      operationId: createPet
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          text/plain: {schema: {type: string}}
      responses:
        '200': {description: It., content: {application/json: {example: {name: Rex}, schema: {$ref: '#/components/schemas/Pet'}}}}
        '201': {description: It., content: {application/json: {examples: {one: {value: {name: Ada}}}, schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  responses: {Missing: {description: Missing., content: {application/json: {schema: {type: object}}}}}
  schemas: {Pet: {type: object, required: [name], properties: {name: {type: string, examples: [Tom]}}}}
`;

describe("a document for other tools", () => {
  test("has an example of each JSON body that is not a component, and keeps those of the description", async () => {
    const document = await portable();
    expect(
      at(document, "paths", "/pets", "get", "responses", "200", "content", "application/json; charset=utf-8"),
    ).toEqual({
      example: [{ name: "Tom" }],
      schema: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Pet" } },
    });
    expect(at(document, "paths", "/pets", "get", "responses", "404")).toEqual({
      $ref: "#/components/responses/Missing",
    });
    const created = at(document, "paths", "/pets", "post", "responses");
    expect(at(created, "200", "content", "application/json", "example")).toEqual({ name: "Rex" });
    expect(at(created, "201", "content", "application/json", "example")).toBeUndefined();
    const body = at(document, "paths", "/pets", "post", "requestBody", "content");
    expect(at(body, "application/json", "example")).toEqual({ name: "Tom" });
    expect(at(body, "text/plain", "example")).toBeUndefined();
  });

  test("names the causes of an error response that its description does not name", async () => {
    const errors =
      "x-errors: [{id: no-pet, status: 404, summary: There is no such pet.}, {id: missing, status: 404, summary: Missing}]\n      requestBody";
    const text = shop
      .replace("requestBody", errors)
      .replace("        '201'", "        '404': {$ref: '#/components/responses/Missing'}\n        '201'")
      .replace("paths:", "x-errors: [{id: no-limit, status: 404, field: limit, summary: There are fewer.}]\npaths:")
      .replace("parameters: []", "parameters: [{name: limit, in: query, schema: {type: integer}}]");
    const document = await portable({}, text);
    const missing = { type: "object" };
    expect(at(document, "paths", "/pets", "post", "responses", "404")).toEqual({
      description: "Missing.\n\nAmong the causes:\n\n- There is no such pet.\n- There are fewer.",
      content: { "application/json": { schema: missing, example: {} } },
    });
    expect(at(document, "paths", "/pets", "get", "responses", "404", "description")).toBe(
      "Missing.\n\nAmong the causes:\n\n- There are fewer.",
    );
    expect(at(document, "components", "responses", "Missing", "description")).toBe("Missing.");
  });

  test("has samples of each operation, which keeps its own", async () => {
    const document = await portable({ client: "@pets/client" });
    expect(at(document, "paths", "/pets", "get", "x-codeSamples")).toEqual([{ lang: "Go", source: "own" }]);
    expect(at(document, "paths", "/pets", "parameters")).toEqual([]);
    expect(at(document, "paths", "/pets", "post", "x-codeSamples")).toMatchObject([
      { lang: "Shell", label: "curl", source: expect.stringMatching(/^curl -X POST/) },
      { lang: "JavaScript", label: "fetch" },
      { lang: "TypeScript", label: "client", source: expect.stringContaining('from "@pets/client"') },
    ]);
  });

  test("has no extension field where they are not wanted", async () => {
    const document = await portable({ extensions: false });
    expect(JSON.stringify(document)).not.toContain('"x-');
    expect(at(document, "paths", "/pets", "post", "requestBody", "content", "application/json", "example")).toEqual({
      name: "Tom",
    });
  });
});

async function portable(options?: PortableDocumentOptions, text = shop): Promise<Json> {
  return withFixtureFolder(text, async (folder) => {
    const file = path.join(folder, "openapi.yaml");
    const api = buildApi(await loadDescription(file), { names: {}, keywords: undefined, requirements: undefined });
    return createPortableDocument(api, await bundleDescription({ description: file, overlays: [] }), options);
  });
}

/** The value at a path of keys. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return valueAt(value, keys);
}
