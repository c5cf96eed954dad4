import { describe, expect, it } from "vitest";
import { serveNotes } from "../notes-server.support.js";
import type { RunReport } from "../results.js";
import { runSuite } from "../run-suite.js";
import type { OperationInfo } from "../suite.js";
import { createNoteCase, notesSuite, runNotes, virtualTimer } from "../suite.support.js";

const create = { call: "createNote", body: { title: { $unique: "label" } }, as: "made" } as const;

describe("callers", () => {
  it("have the identity that the step names, each with its own objects", async () => {
    const read = { call: "getNote", path: { noteId: { $get: "note#/id" } } } as const;
    const cases = [
      createNoteCase({
        requires: ["users", "other-account", "tokens"],
        steps: [
          { make: "Note", as: "note" },
          { ...read, by: "main" },
          { ...read, by: "anonymous", expect: { status: 401 } },
          { ...read, by: "other-account", expect: { status: 404, error: { field: null, reasonContains: ["found"] } } },
          { ...create, by: { scopes: "notes:read_only" }, expect: { status: 401 } },
          { ...read, by: { caller: "limited", grants: { note: [{ id: { $get: "note#/id" } }] } } },
          { actor: { account: "other" }, as: "other" },
          { ...read, by: { user: "other" }, expect: { status: 404 } },
          { ...read, by: { token: { $get: "other#/token" } }, expect: { status: 404 } },
          { ...create, by: { user: "other" } },
          { ...read, by: { authorization: "Basic eA==" }, expect: { status: 401 } },
        ],
      }),
    ];
    const { report, server } = await runNotes(cases);
    expect(report.results[0]?.failures).toEqual([]);
    expect(report.passed).toBe(true);
    expect(server.notes.size).toBe(0);
  });

  it("send no token to an operation without security, unless the step is about its caller", async () => {
    const list = { call: "listNotes" } as const;
    const steps = [
      { ...list, expect: { status: 401 } },
      { ...list, by: "main", expect: { status: 200 } },
    ] as const;
    const suite = notesSuite([createNoteCase({ steps })]);
    const listNotes = { ...suite.operations["listNotes"], public: true } as OperationInfo;
    const server = await serveNotes();
    const report = await runSuite(
      { ...suite, operations: { ...suite.operations, listNotes } },
      { url: server.url, credentials: { main: "main-token-0123456789" }, cases: suite.cases, seed: 1 },
    );
    expect(report.results[0]?.failures).toEqual([]);
  });
});

describe("the clock", () => {
  it("advances past a rate limit that the case does not test", async () => {
    const many = createNoteCase({ steps: [{ repeat: [create], times: 5 }] });
    const { report, server } = await runNotes([many], { faults: { rate: 2 } });
    expect(statuses(report)).toEqual({ "notes/createNote/a-case": "pass" });
    expect(server.clock.now).toBe(Date.parse("2026-01-01T00:01:00Z"));
  });

  it("does not retry a 429 that the case expects", async () => {
    const limited = createNoteCase({
      requires: ["users"],
      steps: [
        { actor: { account: "other" }, as: "user" },
        { repeat: [{ ...create, by: { user: "user" } }], times: 2 },
        { ...create, by: { user: "user" }, expect: { status: 429, headers: { "retry-after": "30" } } },
      ],
    });
    const { report } = await runNotes([limited], { faults: { rate: 2 } });
    expect(report.results[0]?.failures).toEqual([]);
  });

  it("waits without test controls, and reports that it waits", async () => {
    const notes: string[] = [];
    const timer = virtualTimer();
    const many = createNoteCase({ steps: [{ repeat: [create], times: 2 }] });
    const { report } = await runNotes([many], {
      without: "controls",
      faults: { rate: 1, retryAfter: "30" },
      timer,
      onProgress: (progress) => {
        if (progress.kind === "note") notes.push(progress.text);
      },
    });
    expect(report.results[0]?.status).toBe("fail");
    expect(notes).toEqual(Array.from({ length: 5 }, () => "createNote responded with 429. Retrying in 30 s."));
    expect(timer.now()).toBe(150_000);
  });

  it("gives templates the server's time, and holds jobs until the case ends", async () => {
    const holds = createNoteCase({
      requires: ["clock"],
      exclusive: true,
      steps: [
        { hold: true },
        { ...create, expect: { body: { properties: { state: { const: "new" } } } } },
        { hold: false },
        {
          call: "getNote",
          path: { noteId: { $get: "made#/body/id" } },
          until: true,
          expect: { body: { properties: { state: { const: "filed" } } } },
        },
        { advance: "PT60S" },
        { check: { $time: "PT1H" }, matches: { type: "string", pattern: "^2026-01-01T01:01:0" } },
        { hold: true },
      ],
    });
    const { report, server } = await runNotes([holds]);
    expect(report.results[0]?.failures).toEqual([]);
    expect(server.log.filter((line) => line.endsWith("/hold"))).toHaveLength(4);
  });
});

function statuses(report: RunReport): Record<string, string> {
  return Object.fromEntries(report.results.map((each) => [each.case.id, each.status]));
}
