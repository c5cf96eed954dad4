import { describe, expect, it } from "vitest";
import type { RunReport } from "./results.js";
import type { Case, Step } from "./suite.js";
import { createNoteCase, runNotes, virtualTimer } from "./suite.support.js";

const create = { call: "createNote", body: { title: { $unique: "label" } }, as: "made" } as const;
const creates = createNoteCase({ steps: [create] });

describe("a case", () => {
  it("passes, and deletes everything that it created", async () => {
    const { report, server } = await runNotes([creates]);
    expect(statuses(report)).toEqual({ "notes/createNote/a-case": "pass" });
    expect(report).toMatchObject({ passed: true, errors: [], runId: "testtest" });
    expect(report.results[0]).toMatchObject({ exchanges: [], requests: 2 });
    expect(server.notes.size).toBe(0);
  });

  it("fails with what was expected, received, and the requirement", async () => {
    const tooLong = createNoteCase({
      steps: [{ call: "createNote", body: { title: { $repeat: ["x", 33] } }, expect: { status: 400 } }],
    });
    const { report, server } = await runNotes([tooLong], { faults: { anyTitleLength: true } });
    const [result] = report.results;
    expect(report.passed).toBe(false);
    expect(result?.status).toBe("fail");
    expect(
      result?.failures.map(({ message, expected, requirements, exchange }) => ({
        message,
        expected,
        requirements,
        exchange,
      })),
    ).toEqual([
      { message: "HTTP status: 200, expected 400", expected: "400", requirements: ["note.case"], exchange: 0 },
      {
        message: "title: 33 characters, expected at most 32 characters",
        expected: "at most 32 characters",
        requirements: ["title.length"],
        exchange: 0,
      },
    ]);
    expect(server.notes.size).toBe(0);
  });

  it.each([
    ["a field that is not documented", { extra: true }, "colour is not documented", ["note.shape"]],
    ["a field that is missing", { untitled: true }, "title is missing", ["note.title"]],
  ])("tells %s", async (_, faults, message, requirements) => {
    const { report } = await runNotes([creates], { faults });
    expect(report.results[0]?.failures).toMatchObject([{ message, requirements }]);
  });

  it.each([
    ["a media type", { type: "text/html" }, "media type: text/html, expected application/json", ["note.reply"]],
    ["a header that is missing", { headerless: true }, "header X-Request-Id is missing", ["request.id"]],
    ["a status", { status: 201 }, "HTTP status: 201, expected 200", ["note.case"]],
    ["an error of the server", { status: 500 }, "HTTP status: 500, expected 200", ["note.case"]],
  ])("reports %s that is not documented", async (_, faults, message, requirements) => {
    const { report } = await runNotes([creates], { faults });
    expect(report.results[0]?.failures).toMatchObject([{ message, requirements }]);
  });

  it("goes on after a preparation with another success than the documented one", async () => {
    const reads = createNoteCase({
      id: "reads",
      steps: [
        { make: "Note", as: "note" },
        { call: "getNote", path: { noteId: { $get: "note#/id" } }, expect: { status: [404, 200, 201] } },
      ],
    });
    const { report } = await runNotes([creates, reads], { faults: { status: 201 } });
    expect(statuses(report)).toEqual({ "notes/createNote/a-case": "fail", reads: "pass" });
  });

  it("looks for an item on all pages of a list", async () => {
    const isLast = { properties: { id: { const: { $get: "last#/body/id" } } } };
    const looks = (id: string, list: object): Case =>
      createNoteCase({
        id,
        steps: [
          { repeat: [{ ...create, setup: true }], times: 4 },
          { ...create, as: "last" },
          { call: "listNotes", ...list },
        ],
      });
    const all = (data: object): object => ({ everyPage: true, expect: { body: { properties: { data } } } });
    const { report } = await runNotes([
      looks("has", all({ contains: isLast, minItems: 5 })),
      looks("has-not", all({ not: { contains: isLast } })),
      looks("first-page", { expect: { body: { properties: { data: { contains: isLast } } } } }),
    ]);
    expect(statuses(report)).toEqual({ has: "pass", "has-not": "fail", "first-page": "fail" });
  });

  it("names the expected statuses in one order", async () => {
    const rejected = [[422, 400, 415], [400]].map((status, index) =>
      createNoteCase({ id: String(index), steps: [{ ...create, expect: { status } }] }),
    );
    const { report } = await runNotes(rejected);
    expect(report.results.map(({ failures }) => failures[0]?.message)).toEqual([
      "HTTP status: 200, expected 400 or 415 or 422",
      "HTTP status: 200, expected 400",
    ]);
  });

  it("could not run when its setup fails", async () => {
    const { report } = await runNotes([
      createNoteCase({ id: "a", steps: [{ make: "Nothing", as: "nothing" }, create] }),
      createNoteCase({ id: "b", steps: [{ call: "getNote", path: { noteId: { $get: "never#/id" } } }] }),
      createNoteCase({ id: "c", steps: [{ ...create, setup: true }] }),
    ]);
    expect(statuses(report)).toEqual({ a: "error", b: "error", c: "error" });
    expect(report.passed).toBe(false);
    expect(report.results.map(({ failures }) => failures[0]?.message)).toEqual([
      "getNote, which prepares the case: HTTP status: 404, expected 200",
      "The setup of the case failed: never#/id has no value.",
      "No step of the case checks anything.",
    ]);
  });

  it("fails when its operation responds to the setup with what later steps cannot read", async () => {
    const steps: readonly Step[] = [
      { ...create, setup: true, as: "note" },
      { call: "getNote", path: { noteId: { $get: "note#/body/id" } } },
    ];
    const cases = ["createNote", "getNote"].map((operation) => createNoteCase({ id: operation, operation, steps }));
    const { report } = await runNotes(cases, { faults: { type: "text/html" } });
    expect(statuses(report)).toEqual({ createNote: "fail", getNote: "error" });
    const message = "createNote, which prepares the case: media type: text/html, expected application/json";
    expect(report.results.map(({ failures }) => failures.map((each) => each.message))).toEqual([[message], [message]]);
    expect(report.results[0]?.failures[0]?.requirements).toEqual(["note.reply"]);
  });

  it("reports the exchange in which its setup failed", async () => {
    const steps = [{ make: "Note", as: "note" }, { make: "Nothing", as: "nothing" }, create] as const;
    const { report } = await runNotes([createNoteCase({ steps })]);
    const [{ failures, exchanges } = { failures: [], exchanges: [] }] = report.results;
    expect(failures.map(({ exchange = -1 }) => exchanges[exchange]?.operation)).toEqual(["getNote"]);
  });

  it("is skipped without a capability; a run with only skipped cases does not pass", async () => {
    const foreign = createNoteCase({ requires: ["other-account", "clock"], steps: [create] });
    const { report } = await runNotes([foreign], { without: "controls" });
    expect(report.results[0]).toMatchObject({ status: "skipped", missing: ["other-account", "clock"] });
    expect(report).toMatchObject({
      passed: false,
      errors: ["No check was executed."],
    });
  });

  it("starts after all pending jobs have ended, when it is exclusive", async () => {
    const { server } = await runNotes([
      createNoteCase({ exclusive: true, steps: [create] }),
      createNoteCase({ id: "b", steps: [create] }),
    ]);
    const asked = server.log.filter((each) => /settle|POST \/v1\/notes/.test(each));
    // Later requests are cleanup.
    expect(asked.slice(0, 3)).toEqual(["POST /v1/notes", "controls POST /settle", "POST /v1/notes"]);
  });

  it("reports a connection that breaks", async () => {
    const reads = createNoteCase({
      steps: [
        { make: "Note", as: "note" },
        { call: "getNote", path: { noteId: { $get: "note#/id" } } },
      ],
    });
    const { report } = await runNotes([reads], { faults: { dropsConnection: true } });
    expect(report.results[0]?.status).toBe("fail");
    expect(report.results[0]?.failures[0]?.message).toMatch(/^GET \S+\/notes\/1 has no response: The connection broke/);
  });

  it("that expects an undocumented status is an error of the suite", async () => {
    const wrong = createNoteCase({ steps: [{ ...create, expect: { status: 503 } }] });
    await expect(runNotes([wrong])).rejects.toThrow(
      "notes/createNote/a-case: A step expects 503 of createNote (notes.yaml:1), which does not document it. Document the response, or expect another.",
    );
  });
});

describe("known failures", () => {
  const fails = createNoteCase({ id: "fails", steps: [{ ...create, expect: { status: 400 } }] });
  it("have their own status, and the run passes", async () => {
    const { report } = await runNotes([creates, fails], {
      knownFailures: [{ id: "fails", message: "HTTP status: 200" }],
    });
    expect(statuses(report)).toEqual({ "notes/createNote/a-case": "pass", fails: "known-fail" });
    expect(report.passed).toBe(true);
  });

  it("that pass, match no case or fail otherwise fail the run", async () => {
    const { report } = await runNotes([creates, fails], {
      knownFailures: [
        { id: "fails", message: "HTTP status: 500" },
        { id: creates.id, message: "x" },
        { id: "gone", message: "x" },
      ],
    });
    expect(statuses(report)).toEqual({ "notes/createNote/a-case": "unexpected-pass", fails: "fail" });
    expect(report.errors).toEqual([
      "The list of known failures has gone, which is not a case of the suite. Remove it from the list.",
      "notes/createNote/a-case passes, but is on the list of known failures. Remove it from the list.",
      'fails is known to fail with "HTTP status: 500", but it fails with another message.',
    ]);
    expect(report.passed).toBe(false);
  });
});

describe("a run", () => {
  it("runs exclusive cases after all others", async () => {
    const order: string[] = [];
    const cases = ["a", "b", "c", "d", "e", "f"].map((id) =>
      createNoteCase({ id, steps: [create], ...(id < "c" ? { exclusive: true } : {}) }),
    );
    const { report } = await runNotes(cases, {
      onProgress: (progress) => {
        if (progress.kind === "case") order.push(progress.result.case.id);
      },
    });
    expect(order.slice(-2).toSorted()).toEqual(["a", "b"]);
    expect(report.results.map((each) => each.case.id)).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("creates shared objects once, and again after a failed case", async () => {
    const reads = { call: "getNote", path: { noteId: { $get: "note#/id" } } } as const;
    const share = (id: string, status = 200): Case =>
      createNoteCase({
        id,
        steps: [
          { make: "Note", as: "note" },
          { ...reads, expect: { status } },
        ],
      });
    const made = async (cases: readonly Case[]): Promise<number> => {
      const { server, report } = await runNotes(cases, { workers: 1 });
      expect(report.errors).toEqual([]);
      expect(server.notes.size).toBe(0);
      return server.log.filter((line) => line === "POST /v1/notes").length;
    };
    expect(await made([share("a"), share("b"), share("c")])).toBe(1);
    expect(await made([share("a", 404), share("b", 404), share("c", 404)])).toBe(3);
  });

  it("does not start when the server does not respond", async () => {
    const url = "http://127.0.0.1:9/v1";
    await expect(runNotes([creates], { url })).rejects.toThrow(
      "No response from http://127.0.0.1:9/v1: The connection broke (ECONNREFUSED). Start the server, or pass its address with --url.",
    );
  });

  it("reports objects that it could not delete", async () => {
    const { report } = await runNotes([creates], { faults: { ignoresDeletion: true } });
    expect(report.results[0]?.status).toBe("pass");
    expect(report.errors).toEqual([
      "The account ctesttest-account-0 has Note 1, which it did not have before the run (listNotes).",
    ]);
    expect(report.passed).toBe(false);
  });

  it("stops at its request budget, and when its signal aborts", async () => {
    const cases = ["a", "b", "c"].map((id) => createNoteCase({ id, steps: [create] }));
    const { report } = await runNotes(cases, { requestBudget: 4, workers: 1 });
    expect(Object.values(statuses(report)).toSorted()).toEqual(["error", "error", "pass"]);
    const stop = new AbortController();
    const { report: stopped, server } = await runNotes(cases, {
      workers: 1,
      signal: stop.signal,
      onProgress: ({ kind }) => {
        if (kind === "case") stop.abort();
      },
    });
    expect(Object.values(statuses(stopped)).toSorted()).toEqual(["error", "error", "pass"]);
    expect(server.notes.size).toBe(0);
  });

  it("reports no secrets", async () => {
    const tells = createNoteCase({
      steps: [
        {
          call: "createNote",
          body: { title: "main-token-0123456789", root_pass: "hunter2!" },
          expect: { status: 400 },
        },
      ],
    });
    const { report } = await runNotes([tells], { without: "controls" });
    const reported = JSON.stringify(
      report.results.map(({ failures, exchanges }) => ({ differences: failures, exchanges })),
    );
    expect(reported).not.toMatch(/0123456789|hunter2/);
    expect(report.results[0]?.exchanges[0]).toMatchObject({
      caller: "main",
      requestHeaders: { authorization: "Bearer $TOKEN" },
      requestBody: '{"title":"$TOKEN","root_pass":"$SECRET"}',
    });
  });

  it("checks concurrent calls by how many end with which status", async () => {
    const race = (count: number): Case =>
      createNoteCase({
        id: `race-${count}`,
        steps: [
          { parallel: [{ call: "createNote", body: { title: "x" } }], times: 4, outcomes: [{ status: 200, count }] },
        ],
      });
    const { report, server } = await runNotes([race(4), race(3)]);
    expect(statuses(report)).toEqual({ "race-4": "pass", "race-3": "fail" });
    expect(report.results[1]?.failures).toMatchObject([
      {
        message: "HTTP statuses: 4 of 4, expected 3 × 200",
        expected: "3 × 200",
        received: "200, 200, 200, 200",
      },
    ]);
    expect(server.notes.size).toBe(0);
  });

  it("skips a case of a rate whose requests took longer than its window", async () => {
    const failing = (id: string, windowSeconds: number): Case => ({
      ...createNoteCase({ id, steps: [{ call: "createNote", body: { title: "x" }, expect: { status: 429 } }] }),
      windowSeconds,
    });
    const { report } = await runNotes([failing("short", 0), failing("long", 60)], { without: "controls" });
    expect(statuses(report)).toEqual({ short: "skipped", long: "fail" });
    expect(report.results[0]?.missing).toEqual(["clock"]);
    const waiting = failing("waiting", 30);
    const steps = [{ actor: { account: "own" }, as: "eve", idleSeconds: 60 } as const, ...waiting.steps];
    const { report: idle } = await runNotes([{ ...waiting, steps }], { without: "controls", timer: virtualTimer() });
    expect(statuses(idle)).toEqual({ waiting: "fail" });
    const { report: standing } = await runNotes([failing("short", 0)]);
    expect(statuses(standing)).toEqual({ short: "fail" });
    // Each look at this clock finds it a second later.
    let now = 0;
    const moving = { now: () => (now += 1000) };
    const { report: moved } = await runNotes([failing("short", 0), failing("long", 60)], { faults: moving });
    expect(statuses(moved)).toEqual({ short: "skipped", long: "fail" });
    // A machine that is busy for a while: a further run is in time.
    let busy = 0;
    const slowOnce = { now: () => (busy++ < 4 ? (now += 1000) : now) };
    const { report: again } = await runNotes([failing("short", 0)], { faults: slowOnce });
    expect(statuses(again)).toEqual({ short: "fail" });
    // A second of the server is nearly two here.
    const passing = { now: () => (now += 950), wait: async () => {} };
    const { report: rounded } = await runNotes([failing("second", 1), failing("long", 60)], {
      faults: { now: () => Math.floor((now += 950) / 1000) * 1000 },
      timer: passing,
    });
    expect(statuses(rounded)).toEqual({ second: "skipped", long: "fail" });
  });

  it("lets scenarios report failures, and cleans up after them", async () => {
    const ended: string[] = [];
    const scenario = createNoteCase({ id: "scenario", steps: [{ code: "writes", inputs: { title: "t" } }] });
    const { report } = await runNotes([scenario], {
      scenarios: {
        writes: async ({ inputs, runStep, reportFailure, onEnd }) => {
          onEnd(() => void ended.push("ended"));
          const made = await runStep({ call: "createNote", body: { title: inputs["title"] ?? null } });
          reportFailure({ message: "Odd.", expected: "even", received: "odd", requirements: [] });
          return made;
        },
      },
    });
    expect(report.results[0]).toMatchObject({
      status: "fail",
      failures: [{ message: "Odd.", requirements: ["note.case"] }],
    });
    expect(ended).toEqual(["ended"]);
  });

  it("has the same unique values for the same seed, and different values for another seed", async () => {
    const titles = async (seed: number): Promise<string[]> => {
      const found: string[] = [];
      await runNotes(
        [
          createNoteCase({
            steps: [
              { ...create, body: { title: { $unique: "number" } } },
              { code: "look", inputs: { made: { $get: "made#/body/title" } } },
            ],
          }),
        ],
        {
          seed,
          scenarios: { look: async ({ inputs }) => (found.push(JSON.stringify(inputs["made"])), null) },
        },
      );
      return found;
    };
    expect(await titles(1)).toEqual(await titles(1));
    expect(await titles(1)).not.toEqual(await titles(2));
  });
});

function statuses(report: RunReport): Record<string, string> {
  return Object.fromEntries(report.results.map((each) => [each.case.id, each.status]));
}
