import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Case } from "../suite.js";
import { createNoteCase, notesSuite, runNotes } from "../suite.support.js";
import { createResponseStatistics, formatCredential } from "./response-statistics.js";

const create = { call: "createNote", body: { title: { $unique: "label" } } } as const;
const cases = (count: number, given: Partial<Case> = {}): readonly Case[] =>
  Array.from({ length: count }, (_, index) => createNoteCase({ id: `case-${index}`, steps: [create], ...given }));

describe("a run stops early", () => {
  it("when the server rejects the main credential", async () => {
    const { report, server } = await runNotes(cases(30), {
      without: "controls",
      credentials: { main: "another-token-0123456789" },
    });
    expect(report.stopped).toEqual({
      kind: "credential",
      text: 'The server responded with 401 to all 12 requests with the main credential. The description requires `Authorization: Bearer TOKEN`. Check --token, CONFORMANCE_TOKEN, or "main" of the profile.',
    });
    expect(report.responses).toEqual({ createNote: { 401: 12 } });
    expect(report.passed).toBe(false);
    expect(report.results.filter(({ notStarted }) => notStarted === true)).toHaveLength(18);
    expect(server.log.filter((line) => line === "POST /v1/notes")).toHaveLength(12);
  });

  it("when the address is not that of the API", async () => {
    const steps = [{ call: "listNotes" }] as const;
    const lists = Array.from({ length: 15 }, (_, index) =>
      createNoteCase({ id: `list-${index}`, operation: "listNotes", steps }),
    );
    const { report } = await runNotes([...cases(15), ...lists], { without: "controls", path: "/v2" });
    expect(report.stopped).toEqual({
      kind: "address",
      text: "The server responded with 404 to all 12 requests. Pass the address of the API with its base path: --url.",
    });
  });

  it("when the server stops responding", () => {
    const statistics = createResponseStatistics({ createsUsers: false });
    const info = notesSuite([]).operations["getNote"];
    if (info === undefined) throw new Error("The suite has no getNote.");
    const record = (response?: { readonly status: number; readonly headers: Readonly<Record<string, string>> }): void =>
      statistics.record({ operation: "getNote", info, isMain: true, response });
    record({ status: 200, headers: {} });
    for (let count = 0; count < 11; count++) record();
    expect(statistics.findStopReason()).toBeUndefined();
    record();
    expect(statistics.findStopReason()).toEqual({
      kind: "no-response",
      text: "The last 12 requests had no response. Start the server again.",
    });
    expect(statistics.counts()).toEqual({ getNote: { 0: 12, 200: 1 } });
  });

  it("when all responses are pages for people", () => {
    const statistics = createResponseStatistics({ createsUsers: false });
    const info = notesSuite([]).operations["getNote"];
    if (info === undefined) throw new Error("The suite has no getNote.");
    const response = { status: 200, headers: { "content-type": "text/html; charset=utf-8" } };
    for (let count = 0; count < 12; count++) {
      expect(statistics.findStopReason()).toBeUndefined();
      const operation = count % 2 === 0 ? "getNote" : "listNotes";
      statistics.record({ operation, info, isMain: true, response });
    }
    expect(statistics.findStopReason()).toMatchObject({ kind: "address" });
  });

  it("at the first failure, with failFast", async () => {
    const wrong = createNoteCase({ id: "wrong", steps: [{ ...create, expect: { status: 400 } }] });
    const all = [wrong, ...cases(20)];
    const { report } = await runNotes(all, { failFast: true, workers: 1 });
    expect(report.stopped).toEqual({
      kind: "first-failure",
      text: "wrong did not pass: HTTP status: 200, expected 400",
    });
    expect(report.results.find((each) => each.notStarted === true)?.failures[0]?.message).toBe(
      "The run stopped before it.",
    );
    const known = [{ id: "wrong", message: "HTTP status: 200" }];
    expect((await runNotes(all, { failFast: true, knownFailures: known })).report).toMatchObject({ passed: true });
  });
});

describe("a run goes on", () => {
  it("when only a few requests are rejected", async () => {
    const { report } = await runNotes(cases(30, { steps: [{ ...create, by: "anonymous", expect: { status: 401 } }] }));
    expect(report).toMatchObject({ passed: true, responses: { createNote: { 401: 30 } } });
    expect(report.stopped).toBeUndefined();
  });
});

it("a run goes on when one operation is not implemented", async () => {
  const { report } = await runNotes(cases(20), { without: "controls", path: "/v2" });
  expect(report.stopped).toBeUndefined();
  expect(report.responses).toEqual({ createNote: { 404: 20 } });
});

it("a short run with a wrong credential says so, too", async () => {
  const { report } = await runNotes(cases(2), {
    without: "controls",
    credentials: { main: "another-token-0123456789" },
  });
  expect(report.stopped?.kind).toBe("credential");
});

it("a server that does not speak HTTP stops the run before it starts", async () => {
  const server = createServer((socket) => socket.end("220 ready\r\n"));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await expect(runNotes(cases(1), { url })).rejects.toThrow(
    /No response from .*: The response is not HTTP\/1\.1: it begins with "220 ready/,
  );
});

it.each([
  [{ scheme: "", as: "bearer" }, "`Authorization: Bearer TOKEN`"],
  [{ scheme: "login", as: "basic" }, "HTTP Basic with USER:PASSWORD as the token (login)"],
  [{ scheme: "key", as: "apiKey", in: "header", name: "X-Key" }, "the token in the header `X-Key` (key)"],
  [{ scheme: "key", as: "apiKey", in: "query", name: "key" }, "the token in the query parameter `key` (key)"],
] as const)("a credential %j is described as %s", (credential, text) => {
  expect(formatCredential(credential)).toBe(text);
});
