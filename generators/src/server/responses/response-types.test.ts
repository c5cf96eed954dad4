import { formatFile, printSourceFile, TypePrinter } from "@plumbline/kit/codegen";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { emitResponseType, responseTypeName } from "./response-types.js";

/** Returns the response type of an operation with these responses. */
async function responseTypeText(responses: string): Promise<string> {
  const text = withPaths(
    `/pets: {get: {operationId: listPets, responses: ${responses}}}`,
    "components: {schemas: {Pet: {type: object, properties: {id: {type: integer}}}, Errors: {type: object}}}",
  );
  const api = await buildFixtureApi(text);
  const printer = new TypePrinter(api);
  const types = api.operations.map((operation) => emitResponseType(operation, { api, printer }));
  const file = await formatFile({ path: "a.ts", text: printSourceFile(types) });
  return file.text.slice(file.text.indexOf("/**")).trim();
}

/** The same on one line, without what is the same of all. */
async function unionOf(responses: string): Promise<string> {
  const [, union = ""] = (await responseTypeText(responses)).split(" =");
  return union
    .replaceAll(/\s+/g, " ")
    .replaceAll("readonly ", "")
    .replaceAll("; }", " }")
    .replace(/^ (\| )?/, "")
    .replace(/;$/, "");
}

const pet = "content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}";
const errors = "content: {application/json: {schema: {$ref: '#/components/schemas/Errors'}}}";

test("the response type of a handler", async () => {
  const [operation] = (await buildFixtureApi(withPaths("/pets: {get: {operationId: list-pets, responses: {}}}")))
    .operations;
  expect(operation && responseTypeName(operation)).toBe("ListPetsResponse");
  const responses = `{'200': {description: a, ${pet}}, '204': {description: b}, '404': {description: c, ${errors}}}`;
  expect(await responseTypeText(responses)).toBe(`/** The responses that the handler of \`listPets\` can return. */
export type ListPetsResponse =
  | { readonly status: 200; readonly body: Pet }
  | { readonly status: 204 }
  | { readonly status: 404; readonly body: Errors };`);
});

describe("statuses", () => {
  test.each([
    [`{'200': {description: a, ${pet}}, '201': {description: b, ${pet}}}`, "{ status: 200 | 201; body: Pet }"],
    [`{2XX: {description: a, ${pet}}}`, '{ status: StatusOf<"2XX">; body: Pet }'],
    [
      `{'204': {description: a}, 2XX: {description: b, ${pet}}}`,
      '{ status: 204 } | { status: Exclude<StatusOf<"2XX">, 204>; body: Pet }',
    ],
    [
      `{'200': {description: a, ${pet}}, '404': {description: b}, default: {description: c, ${errors}}}`,
      "{ status: 200; body: Pet } | { status: 404 } | { status: UndocumentedErrorStatus<404>; body: Errors }",
    ],
    [
      `{'200': {description: a, ${pet}}, '404': {description: b, ${errors}}, default: {description: c, ${errors}}}`,
      "{ status: 200; body: Pet } | { status: ErrorStatus; body: Errors }",
    ],
    [
      `{'200': {description: a}, '499': {description: b, ${errors}}, default: {description: c, ${errors}}}`,
      "{ status: 200 } | { status: 499 | ErrorStatus; body: Errors }", // not a registered status code
    ],
    [
      `{'302': {description: a}, 4XX: {description: b}, default: {description: c, ${errors}}}`,
      '{ status: 302 | StatusOf<"4XX"> } | { status: UndocumentedErrorStatus<StatusOf<"4XX">>; body: Errors }',
    ],
    [
      `{'200': {description: a}, 4XX: {description: b}, 5XX: {description: c}, default: {description: d, ${errors}}}`,
      '{ status: 200 | StatusOf<"4XX"> | StatusOf<"5XX"> }', // `default` covers nothing else
    ],
    [
      `{'404': {description: a}, default: {description: b, ${pet}}}`,
      "{ status: 404 } | { status: UndocumentedStatus<404>; body: Pet }",
    ],
    [`{default: {description: a, ${pet}}}`, "{ status: UndocumentedStatus<never>; body: Pet }"],
  ])("of %s", async (responses, union) => {
    expect(await unionOf(responses)).toBe(union);
  });
});

describe("bodies", () => {
  const bytes = "Uint8Array | ReadableStream<Uint8Array>";
  test.each([
    ["application/json: {schema: {type: array, items: {type: string}}}", "{ status: 200; body: string[] }"],
    ["application/json: {schema: {}}", "{ status: 200; body: unknown }"],
    ["text/csv: {schema: {type: string}}", "{ status: 200; body: string }"],
    ["image/png: {}", `{ status: 200; body: ${bytes} }`],
    [
      "application/jsonl: {itemSchema: {type: integer}}",
      `{ status: 200; body: globalThis.AsyncIterable<number> | string | ${bytes} }`,
    ],
    ["application/jsonl: {}", `{ status: 200; body: ${bytes} }`],
    ["text/event-stream: {}", `{ status: 200; body: globalThis.AsyncIterable<ServerSentEvent> | string | ${bytes} }`],
    ["image/*: {}", `{ status: 200; type: string; body: ${bytes} }`],
    ["'*/*': {schema: {type: integer}}", "{ status: 200; type?: string; body: number }"],
    [
      "text/csv: {}, application/json: {schema: {type: integer}}, application/problem+json: {}",
      '{ status: 200; type: "text/csv"; body: string } | { status: 200; type?: "application/json"; body: number } | { status: 200; type: "application/problem+json"; body: unknown }',
    ],
    [
      "text/csv: {}, image/png: {}",
      `{ status: 200; type: "text/csv"; body: string } | { status: 200; type: "image/png"; body: ${bytes} }`,
    ],
  ])("of %s", async (contents, union) => {
    expect(await unionOf(`{'200': {description: a, content: {${contents}}}}`)).toBe(union);
  });
});

describe("headers", () => {
  test.each([
    ["X-Total: {schema: {type: integer}}", "{ status: 200; headers?: { 'X-Total'?: number } }"],
    [
      "X-Total: {required: true, schema: {type: integer}}, Link: {schema: {type: string}}",
      "{ status: 200; headers: { 'X-Total': number; Link?: string } }",
    ],
    [
      "X-OAuth-Scopes: {}, X-Accepted-OAuth-Scopes: {}, X-RateLimit-Limit: {}, X-RateLimit-Remaining: {}, X-RateLimit-Reset: {}, x-request-ID: {required: true}, Retry-After: {}",
      "{ status: 200 }", // the server sets this header
    ],
  ])("%s", async (headers, union) => {
    const found = await unionOf(`{'200': {description: a, headers: {${headers}}}}`);
    expect(found.replaceAll('"', "'")).toBe(union);
  });
});
