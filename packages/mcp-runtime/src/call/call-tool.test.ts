import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { deleteNote, getNote, notes, startServer } from "../notes.support.js";
import type { ToolData } from "../toolset.js";
import { callTool } from "./call-tool.js";
import { createApiClient } from "./create-api-client.js";
import { createArgumentReader } from "./read-arguments.js";

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Calls a tool of an API that responds in one way. Returns the texts of the result, and what the API received. */
async function call(
  tool: ToolData,
  given: Readonly<Record<string, unknown>>,
  { status = 200, headers = {}, body = "" }: Reply = {},
) {
  const received: string[] = [];
  const url = await startServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  const context = {
    toolset: notes,
    client: createApiClient(notes, { url, token: "secret-token", timeoutMs: 240_000 }),
    readArguments: createArgumentReader(),
    maxResultBytes: 200,
    signal: new AbortController().signal,
  };
  const result = await callTool(tool, given, context);
  return { result, lines: textOf(result).split("\n"), received };
}

function textOf({ content }: CallToolResult): string {
  return content.map((each) => (each.type === "text" ? each.text : each.type)).join("\n");
}

describe("a call", () => {
  it("sends arguments where they belong, with the token", async () => {
    const { result, received } = await call(getNote, { id: 5, fields: "all" }, { body: '{"id":5,"text":"hello"}' });
    expect(received).toEqual(["GET /notes/5?fields=all Bearer secret-token"]);
    expect(result).toEqual({
      content: [{ type: "text", text: '{"id":5,"text":"hello"}' }],
      structuredContent: { id: 5, text: "hello" },
    });
  });

  it("reports the branch of a union that the value has chosen", async () => {
    const branch = (kind: string, field: string): object => ({
      type: "object",
      required: ["kind", field],
      properties: { kind: { const: kind }, [field]: { type: "string", minLength: 4 } },
    });
    const payment = { oneOf: [branch("card", "last4"), branch("bank", "iban")] };
    const tool = { ...getNote, arguments: {}, inputSchema: { type: "object" as const, properties: { payment } } };
    const linesOf = async (value: object): Promise<readonly string[]> =>
      (await call(tool, { payment: value })).lines.slice(1);
    expect(await linesOf({ kind: "card", iban: "1" })).toEqual(["- `payment` must have required property 'last4'"]);
    expect(await linesOf({ kind: "bank", iban: "1" })).toEqual([
      "- `payment.iban` must NOT have fewer than 4 characters",
    ]);
    expect(await linesOf({ kind: "cash" })).toContain("- `payment` must match exactly one schema in oneOf");
  });

  it("is not sent with invalid arguments", async () => {
    const { result, lines, received } = await call(getNote, { id: "x", fields: "some", more: 1 });
    expect(result.isError).toBe(true);
    expect(lines).toEqual([
      "Nothing was sent: the arguments of getNote are not valid.",
      "- the arguments: unknown property `more`",
      "- `id` must be integer",
      '- `fields` must be one of "all", "text"',
    ]);
    expect(received).toEqual([]);
  });

  it("has structured content even if the response has none, as clients demand", async () => {
    expect((await call(getNote, { id: 5 })).result).toMatchObject({ structuredContent: {} });
    expect((await call(deleteNote, { id: 5 }, { status: 204 })).result).toEqual({
      content: [{ type: "text", text: "Done. The response has no content." }],
    });
  });

  it("shortens large results", async () => {
    const { lines, result } = await call(
      getNote,
      { id: 5 },
      { body: JSON.stringify({ items: Array(100).fill("item") }) },
    );
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^`items` has 100 items; the first \d+ are shown\.$/),
      "The result was too large. Request less: fewer items per page, a filter, or one object.",
    ]);
    expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(200);
  });
});

describe("an error", () => {
  it.each<[string, ToolData, Reply, readonly string[]]>([
    [
      "with a documented reason",
      getNote,
      { status: 409, body: '{"errors":[{"reason":"The note is locked","field":"id"}]}' },
      [
        "getNote failed: the API responded with status 409.",
        "- `id`: The note is locked (locked: Another user edits the note.)",
        "Read the current state, then decide whether to call again.",
      ],
    ],
    [
      "with a body of its own",
      getNote,
      { status: 404, body: '{"message":"gone"}' },
      [
        "getNote failed: the API responded with status 404.",
        "- gone (not-found: There is no such note.)",
        "Check the ids in the arguments: list the objects first.",
      ],
    ],
    [
      "with a body that has no reason",
      getNote,
      { status: 404, body: '{"gone":true}' },
      [
        "getNote failed: the API responded with status 404.",
        '- {"gone":true}',
        "- (not-found: There is no such note.)",
        "Check the ids in the arguments: list the objects first.",
      ],
    ],
    [
      "for a missing scope",
      deleteNote,
      { status: 401 },
      [
        "deleteNote failed: the API responded with status 401.",
        "The token is missing, not valid, or lacks a scope: it needs `notes:write`, or `admin`. Do not repeat the call: ask the user for another token.",
      ],
    ],
    [
      "for too many requests",
      getNote,
      // Longer than the time limit, so that the client does not wait.
      { status: 429, headers: { "retry-after": "300", "x-request-id": "r1" } },
      [
        "getNote failed: the API responded with status 429.",
        "Too many requests. Wait 300 seconds, then call again.",
        "Request id: r1",
      ],
    ],
    [
      "of the API itself",
      { ...deleteNote, idempotent: false },
      { status: 500 },
      [
        "deleteNote failed: the API responded with status 500.",
        "The API has a problem. Read the current state before you repeat the call.",
      ],
    ],
    [
      "after which the effect is unknown",
      { ...deleteNote, idempotent: false },
      { body: "<html>" },
      [
        "deleteNote failed: the API responded with something else than its description documents.",
        "- <html>",
        "It is unknown whether the call had an effect. Read the current state before you repeat it.",
      ],
    ],
  ])("%s is explained", async (_, tool, reply, lines) => {
    const called = await call(tool, { id: 5 }, reply);
    expect(called.result.isError).toBe(true);
    expect(called.lines).toEqual(lines);
  });
});
