import type { CaseResult, Exchange, RunReport } from "../results.js";
import type { Case, Suite } from "../suite.js";

/** A suite for a server of notes: small enough to know by heart. */
export const exampleSuite: Suite = {
  title: "Notes",
  version: "1.2.3",
  command: "notes-conformance",
  servers: ["http://127.0.0.1:1/v1"],
  strict: true,
  operations: {
    createNote: {
      method: "POST",
      path: "/notes",
      tag: "notes",
      location: "spec/notes.yaml:10",
      parameters: [],
      mediaType: "application/json",
      responses: { 201: { requirements: [], mediaTypes: ["application/json"], headers: {} } },
    },
    getNote: {
      method: "GET",
      path: "/notes/{noteId}",
      tag: "notes",
      location: "spec/notes.yaml:30",
      parameters: [{ name: "noteId", in: "path", segments: 1, style: "simple", explode: false }],
      responses: { 200: { requirements: [], mediaTypes: ["application/json"], headers: {} } },
    },
    getHealth: {
      method: "GET",
      path: "/health",
      tag: "health",
      location: "spec/health.yaml:3",
      parameters: [],
      responses: {},
      public: true,
    },
  },
  controls: {
    createUser: {
      method: "POST",
      path: "/users",
      tag: "controls",
      location: "spec/controls.yaml:5",
      parameters: [],
      responses: {},
    },
  },
  schemas: {},
  fixtures: {},
  callers: { main: {}, limited: { role: "reader" } },
  actors: { user: { requires: ["controls"], steps: [], outputs: null } },
  requirements: {
    "note.title.length": {
      document: "1",
      line: 12,
      text: "A title has at most 8 characters.",
      locations: ["spec/notes.yaml:14"],
    },
    "note.shown": { document: "1", line: 15, text: "A note is shown to its owner.", locations: ["spec/notes.yaml:31"] },
    "note.secret": { document: "1", line: 16, text: "Only its owner sees a note.", locations: [] },
    "note.kept": {
      document: "2",
      line: 3,
      text: "Notes are kept for a year.",
      locations: [],
      untested: "a year is too long",
    },
    "health.public": { document: "2", line: 9, text: "Health is public.", locations: ["spec/health.yaml:5"] },
  },
  cases: [
    {
      id: "notes/createNote/title/longer-than-8",
      kind: "bounds",
      operation: "createNote",
      title: "A title of 9 characters is rejected.",
      requirements: ["note.title.length"],
      requires: [],
      steps: [
        {
          call: "createNote",
          body: { title: { $repeat: ["x", 9] }, tag: { $unique: "label" } },
          expect: { status: 400, error: { field: "title", reasonContains: ["8"] } },
        },
      ],
    },
    {
      id: "notes/getNote/own",
      kind: "responses",
      operation: "getNote",
      title: "A note is shown.",
      requirements: ["note.shown"],
      requires: [],
      steps: [
        { make: "Note", as: "note" },
        { call: "getNote", path: { noteId: { $get: "note#/id" } } },
      ],
    },
    {
      id: "notes/getNote/of-another",
      kind: "resources",
      operation: "getNote",
      title: "A note of another user is not found.",
      requirements: ["note.secret"],
      requires: ["other-account"],
      steps: [
        { make: "Note", as: "note", fresh: true },
        { call: "getNote", path: { noteId: { $get: "note#/id" } }, by: "other-account", expect: { status: 404 } },
      ],
    },
    {
      id: "health/getHealth/anonymous",
      kind: "security",
      operation: "getHealth",
      title: "Health needs no token.",
      requirements: ["health.public"],
      requires: [],
      readOnly: true,
      steps: [{ call: "getHealth", by: "anonymous", expect: { status: 200 } }],
    },
  ],
};

/** One of its cases. */
export function exampleCase(id: string): Case {
  const found = exampleSuite.cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`The suite of notes has no case ${id}.`);
  return found;
}

export function exampleExchange(given: Partial<Exchange>): Exchange {
  return {
    operation: "getNote",
    method: "GET",
    url: "http://127.0.0.1:1/v1/notes/7",
    caller: "main",
    requestHeaders: { authorization: "Bearer $TOKEN" },
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"id":7}',
    durationMs: 4,
    ...given,
  };
}

export function passedResult(id: string): CaseResult {
  return {
    case: exampleCase(id),
    status: "pass",
    missing: [],
    failures: [],
    exchanges: [],
    requests: 2,
    durationMs: 12,
  };
}

/** The title that is too long, accepted. */
export const failedResult: CaseResult = {
  case: exampleCase("notes/createNote/title/longer-than-8"),
  status: "fail",
  missing: [],
  failures: [
    {
      message: "HTTP status: 201, expected 400",
      expected: "400",
      received: "201",
      requirements: ["note.title.length"],
      difference: { part: "status", at: "", kind: "different", expected: "400", received: "201" },
      exchange: 0,
    },
  ],
  exchanges: [
    exampleExchange({
      operation: "createNote",
      method: "POST",
      url: "http://127.0.0.1:1/v1/notes",
      requestHeaders: { authorization: "Bearer $TOKEN", "content-type": "application/json" },
      requestBody: '{"title":"xxxxxxxxx","tag":"it\'s-new"}',
      status: 201,
      body: '{"id":7,"title":"xxxxxxxxx"}',
    }),
  ],
  requests: 1,
  durationMs: 8,
};

export const skippedResult: CaseResult = {
  ...passedResult("notes/getNote/of-another"),
  status: "skipped",
  missing: ["other-account"],
  requests: 0,
  durationMs: 0,
};

export function exampleReport(results: readonly CaseResult[], more: Partial<RunReport> = {}): RunReport {
  return {
    runId: "k3f9x2ab",
    seed: 7,
    url: "http://127.0.0.1:1/v1",
    started: "2026-02-28T12:00:00.000Z",
    durationSeconds: 2,
    requests: 300,
    results,
    errors: [],
    passed: results.length > 0 && results.every(({ status }) => status === "pass"),
    ...more,
  };
}

/** One of each: a failure, a case that holds, and one that was skipped; health could not be asked. */
export const mixedReport: RunReport = exampleReport([
  failedResult,
  passedResult("notes/getNote/own"),
  skippedResult,
  {
    ...passedResult("health/getHealth/anonymous"),
    status: "error",
    failures: [
      {
        message: "The server does not respond.",
        expected: "a response",
        received: "connection refused",
        requirements: [],
      },
    ],
  },
]);
