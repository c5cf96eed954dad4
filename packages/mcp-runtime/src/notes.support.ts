import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { callOperation, encodeQuery, jsonBody, type Operation } from "@plumbline/client-runtime";
import { onTestFinished } from "vitest";
import type { ToolData, ToolFunction, Toolset } from "./toolset.js";

const functionOf =
  (operation: Operation): ToolFunction =>
  (client, request, options) =>
    callOperation(client, operation, request, options);

const common = {
  tag: "notes",
  idempotent: true,
  destructive: false,
  anonymous: false,
  arguments: {},
  errors: [],
} as const;

export const getNote: ToolData = {
  ...common,
  name: "getNote",
  title: "Get a note",
  description: "Returns one note.",
  access: "read",
  scopes: [["notes:read"]],
  arguments: { id: { in: "path", name: "id" }, fields: { in: "query", name: "fields" } },
  inputSchema: {
    type: "object",
    properties: { id: { type: "integer" }, fields: { type: "string", enum: ["all", "text"] } },
    required: ["id"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { id: { type: "integer" }, text: { type: "string" } } },
  errors: [{ id: "locked", status: 409, reasonContains: ["is locked"], meaning: "Another user edits the note." }],
};

const createNote: ToolData = {
  ...common,
  name: "createNote",
  title: "Create a note",
  description: "Creates a note.",
  access: "write",
  idempotent: false,
  scopes: [["notes:write"]],
  inputSchema: {
    type: "object",
    properties: { body: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
    required: ["body"],
    additionalProperties: false,
  },
};

export const deleteNote: ToolData = {
  ...common,
  name: "deleteNote",
  title: "Delete a note",
  description: "Deletes a note.",
  access: "delete",
  destructive: true,
  scopes: [["notes:write"], ["admin"]],
  arguments: { id: { in: "path", name: "id" } },
  inputSchema: {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  },
};

/** The tools of a small API. */
export const notes: Toolset = {
  title: "Notes",
  version: "1.2.3",
  command: "notes-mcp",
  environment: "NOTES",
  credential: { kind: "bearer" },
  scopes: { levels: { read: [], write: ["read"] }, all: "*", separator: "," },
  rates: [],
  errors: [{ id: "not-found", status: 404, field: null, reasonContains: [], meaning: "There is no such note." }],
  tools: [getNote, createNote, deleteNote],
  functions: {
    getNote: functionOf({ method: "GET", path: "/notes/{id}", encoders: [encodeQuery] }),
    createNote: functionOf({ method: "POST", path: "/notes", encoders: [jsonBody] }),
    deleteNote: functionOf({ method: "DELETE", path: "/notes/{id}" }),
  },
};

/** Starts a server on this machine, until the test ends. Returns its URL. */
export async function startServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
