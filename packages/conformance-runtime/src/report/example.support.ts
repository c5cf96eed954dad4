import type { CaseResult, Exchange, RunReport } from "../results.js";
import type { Case, Suite } from "../suite.js";

/** A suite for a server of notes: small enough to know by heart. */
export const notes: Suite = {
  title: "Notes",
  version: "1.2.3",
  command: "notes-conformance",
  servers: ["http://127.0.0.1:1/v1"],
  strict: true,
  operations: {
    createNote: {
      method: "POST",
      path: "/notes",
      area: "notes",
      place: "spec/notes.yaml:10",
      parameters: [],
      mediaType: "application/json",
      replies: { 201: { requirements: [], mediaTypes: ["application/json"], headers: {} } },
    },
    getNote: {
      method: "GET",
      path: "/notes/{noteId}",
      area: "notes",
      place: "spec/notes.yaml:30",
      parameters: [{ name: "noteId", in: "path", segments: 1, style: "simple", explode: false }],
      replies: { 200: { requirements: [], mediaTypes: ["application/json"], headers: {} } },
    },
    getHealth: {
      method: "GET",
      path: "/health",
      area: "health",
      place: "spec/health.yaml:3",
      parameters: [],
      replies: {},
      public: true,
    },
  },
  controls: {
    createUser: {
      method: "POST",
      path: "/users",
      area: "controls",
      place: "spec/controls.yaml:5",
      parameters: [],
      replies: {},
    },
  },
  schemas: {},
  recipes: {},
  actors: { user: { needs: ["controls"], steps: [], gives: null } },
  requirements: {
    "note.title.length": {
      document: "1",
      line: 12,
      says: "A title has at most 8 characters.",
      places: ["spec/notes.yaml:14"],
    },
    "note.shown": { document: "1", line: 15, says: "A note is shown to its owner.", places: ["spec/notes.yaml:31"] },
    "note.secret": { document: "1", line: 16, says: "Only its owner sees a note.", places: [] },
    "note.kept": {
      document: "2",
      line: 3,
      says: "Notes are kept for a year.",
      places: [],
      untested: "a year is too long",
    },
    "health.public": { document: "2", line: 9, says: "Health is public.", places: ["spec/health.yaml:5"] },
  },
  cases: [
    {
      id: "notes/createNote/title/longer-than-8",
      kind: "bounds",
      operation: "createNote",
      title: "A title of 9 characters is rejected.",
      requirements: ["note.title.length"],
      needs: [],
      steps: [
        {
          call: "createNote",
          body: { title: { $repeat: ["x", 9] }, tag: { $unique: "label" } },
          expect: { status: 400, error: { field: "title", mentions: ["8"] } },
        },
      ],
    },
    {
      id: "notes/getNote/own",
      kind: "replies",
      operation: "getNote",
      title: "A note is shown.",
      requirements: ["note.shown"],
      needs: [],
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
      needs: ["stranger"],
      steps: [
        { make: "Note", as: "note", fresh: true },
        { call: "getNote", path: { noteId: { $get: "note#/id" } }, by: "stranger", expect: { status: 404 } },
      ],
    },
    {
      id: "health/getHealth/anonymous",
      kind: "security",
      operation: "getHealth",
      title: "Health needs no token.",
      requirements: ["health.public"],
      needs: [],
      safe: true,
      steps: [{ call: "getHealth", by: "anonymous", expect: { status: 200 } }],
    },
  ],
};

/** One of its cases. */
export function noteCase(id: string): Case {
  const found = notes.cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`The suite of notes has no case ${id}.`);
  return found;
}

export function exchange(given: Partial<Exchange>): Exchange {
  return {
    operation: "getNote",
    method: "GET",
    url: "http://127.0.0.1:1/v1/notes/7",
    by: "main",
    requestHeaders: { authorization: "Bearer $TOKEN" },
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"id":7}',
    took: 4,
    ...given,
  };
}

export function passed(id: string): CaseResult {
  return { case: noteCase(id), status: "pass", missing: [], differences: [], exchanges: [], requests: 2, took: 12 };
}

/** The title that is too long, accepted. */
export const tooLong: CaseResult = {
  case: noteCase("notes/createNote/title/longer-than-8"),
  status: "fail",
  missing: [],
  differences: [
    {
      message: "The status is another",
      expected: "400",
      received: "201",
      requirements: ["note.title.length"],
      exchange: 0,
    },
  ],
  exchanges: [
    exchange({
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
  took: 8,
};

export const foreign: CaseResult = {
  ...passed("notes/getNote/of-another"),
  status: "skipped",
  missing: ["stranger"],
  requests: 0,
  took: 0,
};

export function runOf(results: readonly CaseResult[], more: Partial<RunReport> = {}): RunReport {
  return {
    runId: "k3f9x2ab",
    seed: 7,
    url: "http://127.0.0.1:1/v1",
    started: "2026-02-28T12:00:00.000Z",
    took: 2,
    requests: 300,
    results,
    problems: [],
    passed: results.length > 0 && results.every(({ status }) => status === "pass"),
    ...more,
  };
}

/** One of each: a failure, a case that holds, and one that was skipped; health could not be asked. */
export const mixed: RunReport = runOf([
  tooLong,
  passed("notes/getNote/own"),
  foreign,
  {
    ...passed("health/getHealth/anonymous"),
    status: "could-not-run",
    differences: [
      {
        message: "The server does not answer",
        expected: "an answer",
        received: "connection refused",
        requirements: [],
      },
    ],
  },
]);
