import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { notesSuite } from "../suite.support.js";
import { createOperationMatchers } from "./operation-matchers.js";

const matchers = createOperationMatchers({
  ...notesSuite([]),
  requirements: {
    "title.length": { document: "notes.md", line: 7, text: "A title has at most 32 characters.", locations: [] },
  },
});
const headers = { "Content-Type": "application/json; charset=utf-8", "X-Request-Id": "r1" };
const note = { id: 1, title: "Milk", state: "new" };

test.each([
  ["a parsed body", { status: 200, headers, body: note }],
  ["a text", { statusCode: 200, headers, body: JSON.stringify(note) }],
  ["bytes", { statusCode: 200, headers, body: Buffer.from(JSON.stringify(note)) }],
  ["the fields of supertest", { status: 200, headers, text: JSON.stringify(note), body: note }],
  ["the fields of axios", { status: 200, headers, data: note }],
  ["the fields of withResponse", { status: 200, headers: new Headers(headers), data: note }],
  ["pairs of headers", { status: 200, headers: Object.entries(headers), body: note }],
  ["lists of headers", { status: 200, headers: { ...headers, "Set-Cookie": ["a=1", "b=2"] }, body: note }],
])("reads a response with %s", (_, response) => {
  expect(matchers.toMatchOperation(response, "getNote")).toMatchObject({ pass: true });
});

test("reads a response of fetch from a clone", async () => {
  const response = new Response(JSON.stringify(note), { headers });
  expect(await matchers.toMatchOperation(response, "getNote")).toMatchObject({ pass: true });
  expect(await response.json()).toEqual(note);
  expect(() => matchers.toMatchOperation(response, "getNote")).toThrow("was read before");
});

test("reads a message of node:http once", async () => {
  const url = await serve(JSON.stringify(note));
  const message = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
  expect(await matchers.toMatchOperation(message, "getNote")).toMatchObject({ pass: true });
  await expect(async () => matchers.toMatchOperation(message, "getNote")).rejects.toThrow("was read before");
});

test("reads the methods of a response, as Playwright has them", async () => {
  const response = { status: () => 200, headers: () => headers, text: async () => JSON.stringify(note) };
  expect(await matchers.toMatchOperation(response, "getNote")).toMatchObject({ pass: true });
});

test.each([
  ["a status that is not documented", { status: 418, headers, body: note }, "HTTP status 418 is not documented"],
  ["a media type", { status: 200, headers: { ...headers, "Content-Type": "text/html" }, body: "" }, "media type"],
  ["a missing header", { status: 200, headers: { "content-type": "application/json" }, body: note }, "X-Request-Id"],
  ["a missing field", { status: 200, headers, body: { id: 1, title: "x" } }, "state is missing"],
  ["an undocumented field", { status: 200, headers, body: { ...note, color: 1 } }, "color is not documented"],
  ["an error body", { status: 404, headers, body: { errors: [{}] } }, "errors.0.reason is missing"],
  ["a body that is not JSON", { status: 200, headers, body: "<p>" }, "not JSON"],
])("finds %s", (_, response, message) => {
  expect(messageOf(matchers.toMatchOperation(response, "getNote"))).toContain(message);
});

test("has the text of the suite's report, with the requirement", () => {
  const response = { status: 200, headers, body: { ...note, title: "x".repeat(33) } };
  expect(messageOf(matchers.toMatchOperation(response, "getNote"))).toBe(`expect(received).toMatchOperation("getNote")

The value does not match the response of getNote, GET /notes/{noteId} (notes.yaml:11):
  title: 33 characters, expected at most 32 characters
    expected  at most 32 characters
    received  "${"x".repeat(33)}"
    title.length: A title has at most 32 characters.
      notes.md, line 7`);
});

test("allows undocumented fields when it is not strict", () => {
  const response = { status: 200, headers, body: { ...note, color: 1 } };
  expect(matchers.toMatchOperation(response, "getNote", { strict: false })).toMatchObject({ pass: true });
});

test("allows the note that a server writes into a redirect", () => {
  const { operations, ...suite } = notesSuite([]);
  const { deleteNote } = operations;
  if (deleteNote === undefined) throw new Error("no deleteNote");
  const nothing = { requirements: [], mediaTypes: [], headers: {} };
  const redirecting = createOperationMatchers({
    ...suite,
    operations: { deleteNote: { ...deleteNote, responses: { 200: nothing, 302: nothing } } },
  });
  const response = (status: number) => ({ status, headers: { "content-type": "text/plain" }, body: "Found" });
  expect(redirecting.toMatchOperation(response(302), "deleteNote")).toMatchObject({ pass: true });
  expect(messageOf(redirecting.toMatchOperation(response(200), "deleteNote"))).toContain("expected none");
});

test("expects one status", () => {
  const response = { status: 404, headers, body: { errors: [{ reason: "Not found" }] } };
  expect(matchers.toMatchOperation(response, "getNote", { status: 404 })).toMatchObject({ pass: true });
  expect(messageOf(matchers.toMatchOperation(response, "getNote", { status: 200 }))).toContain(
    "HTTP status: 404, expected 200",
  );
});

test("matches the end of a deletion", () => {
  expect(matchers.toMatchOperation({ status: 204, headers: {}, body: "" }, "deleteNote")).toMatchObject({ pass: true });
});

test("matches values by a schema", () => {
  expect(matchers.toMatchSchema(note, "Note")).toMatchObject({ pass: true });
  expect(messageOf(matchers.toMatchSchema({ ...note, id: 0 }, "Note"))).toContain("id: 0, expected at least 1");
  expect(messageOf(matchers.toMatchSchema({ ...note, color: 1 }, "Note"))).toContain("color is not documented");
  expect(matchers.toMatchSchema({ ...note, color: 1 }, "Note", { strict: false })).toMatchObject({ pass: true });
});

test("rejects unknown names, and values that are not responses", () => {
  expect(() => matchers.toMatchOperation({ status: 200, headers }, "getNotes")).toThrow(
    '"getNotes" is not the name of an operation of the description. Did you mean "getNote"?',
  );
  expect(() => matchers.toMatchSchema({}, "Nite")).toThrow('Did you mean "Note"?');
  expect(() => matchers.toMatchOperation(note, "getNote")).toThrow("The received value is not a response.");
});

function messageOf(result: ReturnType<typeof matchers.toMatchOperation>): string {
  if (result instanceof Promise) throw new Error("The response was not read.");
  expect(result.pass).toBe(false);
  return result.message();
}

async function serve(body: string): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
