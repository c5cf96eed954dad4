import { describe, expect, onTestFinished, test } from "vitest";
import { addIssueAt } from "../../http/index.js";
import { createBaseServer } from "../create-server.js";
import { OperationError } from "../errors/errors.js";
import { callers, createTestServer, describeApi } from "../test-server.support.js";
import { adapterNames, adapters } from "./adapters.support.js";

const known = {
  full: { status: 409, reason: "The account is full", field: null },
  taken: { status: 400, reason: "is taken", field: "label" },
  hidden: { status: 400, reason: "is hidden", field: "note" },
} as const;
const api = describeApi({
  lines: { getNote: "GET /notes/{note}", createNote: "POST /notes", putNote: "PUT /notes/{note}" },
  bodies: {
    createNote: {
      required: true,
      contents: {
        "application/json": {
          check: (value, issues) => {
            if (!Object.hasOwn(value as object, "label")) addIssueAt(issues, "label", "required");
          },
        },
      },
    },
  },
  known,
  problemDetails: { types: "https://notes.example/problems/" },
});
const handlers = {
  getNote: () => {
    throw new OperationError("hidden");
  },
  createNote: ({ body }: { readonly body: { readonly label: string } }) => {
    throw new OperationError(body.label);
  },
  putNote: () => {
    throw new Error("secret");
  },
};

const typed = (id: string): string => `https://notes.example/problems/${id}`;
const cases: readonly (readonly [line: string, body: string | undefined, problem: object])[] = [
  [
    "POST /v1/notes",
    "{}",
    {
      status: 400,
      title: "Bad Request",
      detail: "label is required",
      errors: [{ detail: "is required", pointer: "#/label" }],
    },
  ],
  [
    "POST /v1/notes",
    '{"label":"full"}',
    { type: typed("full"), status: 409, title: "The account is full", detail: "The account is full" },
  ],
  [
    "POST /v1/notes",
    '{"label":"taken"}',
    {
      type: typed("taken"),
      status: 400,
      title: "is taken",
      detail: "label is taken",
      errors: [{ detail: "is taken", pointer: "#/label" }],
    },
  ],
  [
    "GET /v1/notes/5",
    undefined,
    {
      type: typed("hidden"),
      status: 400,
      title: "is hidden",
      detail: "note is hidden",
      errors: [{ detail: "is hidden", parameter: "note" }],
    },
  ],
  ["GET /v1/nowhere", undefined, { status: 404, title: "Not Found", detail: "Not found" }],
  ["DELETE /v1/notes", undefined, { status: 405, title: "Method Not Allowed", detail: "The method is not allowed" }],
  [
    "POST /v1/notes",
    `"${"x".repeat(100)}"`,
    { status: 413, title: "Content Too Large", detail: "Body must be at most 90 bytes" },
  ],
  ["PUT /v1/notes/5", "{}", { status: 500, title: "Internal Server Error", detail: "Internal server error" }],
];

describe.each(adapterNames)("problem details on %s", (name) => {
  test.each(cases)("%s %s", async (line, body, problem) => {
    const server = createBaseServer(api, handlers, {
      authenticate: { bearer: (token: string) => callers[token] && { caller: callers[token] } },
      requestId: () => "5a/0f",
      bodyLimit: 90,
      log: () => undefined,
    });
    const { port, close } = await adapters[name](server);
    onTestFinished(close);
    const [method = "", path = ""] = line.split(" ");
    const headers = {
      authorization: "Bearer ann",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null });
    const { status } = problem as { readonly status: number };
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await response.json()).toEqual({ type: "about:blank", instance: "#5a%2F0f", ...problem });
  });
});

test("a missing credential is a problem, too", async () => {
  const { text } = await createTestServer(api).ask("GET /v1/notes/5", { token: null });
  expect(JSON.parse(text)).toEqual({
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "A credential is required",
    instance: "#r",
  });
});

test("the options decide about the body and its type", async () => {
  const { text, headers } = await createTestServer(api, {}, { errorBody: ({ status }) => ({ status }) }).ask(
    "GET /v1/nowhere",
  );
  expect([text, headers["content-type"]]).toEqual(['{"status":404}', "application/json"]);
});
