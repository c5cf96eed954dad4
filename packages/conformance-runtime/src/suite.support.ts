import type { Timer } from "./http/timer.js";
import { type NotesServerFaults, type NotesServer, serveNotes } from "./notes-server.support.js";
import type { RunOptions, RunReport } from "./results.js";
import { runSuite } from "./run-suite.js";
import type { Case, JsonSchema, OperationInfo, Suite } from "./suite.js";

/** A hand-written suite for the notes server. */
export function notesSuite(cases: readonly Case[]): Suite {
  return {
    title: "Notes",
    version: "1.0.0",
    command: "notes-conformance",
    servers: [],
    strict: true,
    operations,
    controls: {
      createUser: control("POST", "/users"),
      getClock: control("GET", "/clock"),
      moveClock: control("POST", "/clock"),
      settle: control("POST", "/settle"),
      hold: control("POST", "/hold"),
    },
    schemas,
    fixtures: {
      Note: {
        requires: [],
        steps: [
          { call: "createNote", body: { $merge: [{ title: { $unique: "label" } }, { $get: "of#/with" }] }, as: "made" },
        ],
        outputs: { $get: "made#/body" },
      },
      Nothing: { requires: [], steps: [{ call: "getNote", path: { noteId: 999_999 } }], outputs: null },
    },
    actors: {
      user: {
        requires: ["controls"],
        steps: [{ call: "controls:createUser", body: { $get: "of" }, as: "made" }],
        outputs: { $get: "made#/body" },
      },
    },
    clock: {
      now: { requires: [], steps: [{ call: "controls:getClock", as: "clock" }], outputs: { $get: "clock#/body/now" } },
      advance: {
        requires: [],
        steps: [{ call: "controls:moveClock", body: { advance: { $get: "of#/by" } }, as: "clock" }],
        outputs: { $get: "clock#/body/now" },
      },
      settle: { requires: [], steps: [{ call: "controls:settle" }], outputs: null },
      hold: { requires: [], steps: [{ call: "controls:hold", body: { hold: { $get: "of#/hold" } } }], outputs: null },
    },
    requirements: {},
    cases,
  };
}

/** The same suite with a rate limit on `createNote`. */
export function rateLimitedNotesSuite(
  cases: readonly Case[],
  rate: { readonly max: number; readonly seconds: number },
): Suite {
  const suite = notesSuite(cases);
  const { createNote } = suite.operations;
  if (createNote === undefined) throw new Error("The suite has no createNote.");
  return { ...suite, operations: { ...suite.operations, createNote: { ...createNote, rates: [rate] } } };
}

/** Creates a case. Default: one of `createNote`. */
export function createNoteCase(given: Partial<Case> & Pick<Case, "steps">): Case {
  return {
    id: "notes/createNote/a-case",
    kind: "accepts",
    operation: "createNote",
    title: "A case.",
    requirements: ["note.case"],
    requires: [],
    ...given,
  };
}

/** Runs cases against a notes server with these faults. Default: with test controls. */
export async function runNotes(
  cases: readonly Case[],
  {
    faults,
    ...given
  }: Partial<RunOptions> & {
    readonly faults?: NotesServerFaults;
    readonly without?: "controls";
    /** Replaces the base path of the server. */
    readonly path?: string;
  } = {},
): Promise<{ readonly report: RunReport; readonly server: NotesServer }> {
  const server = await serveNotes(faults);
  const options = {
    url: given.path === undefined ? server.url : server.url.replace(/\/v1$/, given.path),
    credentials: { main: "main-token-0123456789" },
    ...(given.without === "controls" ? {} : { controls: server.controls }),
    cases,
    seed: 1,
    workers: 2,
    runId: "testtest",
    ...given,
  };
  return { report: await runSuite(notesSuite(cases), options), server };
}

/** A timer that does not wait: each wait advances its clock. */
export function virtualTimer(): Timer {
  let now = 0;
  return {
    now: () => now,
    wait: async (milliseconds, signal) => {
      if (signal?.aborted !== true) now += milliseconds;
      await new Promise(setImmediate);
    },
  };
}

const schemas: Readonly<Record<string, JsonSchema>> = {
  Note: {
    type: "object",
    required: ["id", "title", "state"],
    "x-source": ["note.shape"],
    properties: {
      id: { type: "integer", minimum: 1, "x-source": ["note.id"] },
      title: { $ref: "#/$defs/Title", "x-source": ["note.title"] },
      state: { enum: ["new", "filed"] },
    },
  },
  Title: { type: "string", maxLength: 32, "x-source": ["title.length"] },
  Errors: {
    type: "object",
    required: ["errors"],
    properties: {
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["reason"],
          properties: { reason: { type: "string" }, field: { type: "string" } },
        },
      },
    },
  },
};

const errors = {
  requirements: ["errors.shape"],
  mediaTypes: ["application/json"],
  schema: { $ref: "#/$defs/Errors" },
  headers: {},
};

const note = {
  requirements: ["note.reply"],
  mediaTypes: ["application/json"],
  schema: { $ref: "#/$defs/Note" },
  headers: { "X-Request-Id": { required: true, schema: { type: "string" }, requirements: ["request.id"] } },
};

const noteId = { name: "noteId", in: "path", segments: 1, style: "simple", explode: false } as const;

const operations: Readonly<Record<string, OperationInfo>> = {
  createNote: {
    method: "POST",
    path: "/notes",
    tag: "notes",
    location: "notes.yaml:1",
    parameters: [],
    mediaType: "application/json",
    responses: { 200: note, "4XX": errors },
    creates: { resource: "Note", deletedBy: { call: "deleteNote", path: { noteId: { response: "#/id" } } } },
  },
  getNote: {
    method: "GET",
    path: "/notes/{noteId}",
    tag: "notes",
    location: "notes.yaml:11",
    parameters: [noteId],
    responses: { 200: note, 401: errors, 404: errors },
  },
  deleteNote: {
    method: "DELETE",
    path: "/notes/{noteId}",
    tag: "notes",
    location: "notes.yaml:21",
    parameters: [noteId],
    responses: { 204: { requirements: [], mediaTypes: [], headers: {} }, default: errors },
    deletes: "Note",
  },
  listNotes: {
    method: "GET",
    path: "/notes",
    tag: "notes",
    location: "notes.yaml:31",
    parameters: [{ name: "page", in: "query", segments: 1, style: "form", explode: true }],
    responses: {
      200: {
        requirements: [],
        mediaTypes: ["application/json"],
        schema: {
          type: "object",
          properties: { data: { type: "array", maxItems: 2, items: { $ref: "#/$defs/Note" } }, page: {}, pages: {} },
        },
        headers: {},
      },
      401: errors,
    },
    lists: "Note",
    pagination: { page: "page", items: "data", pages: "pages" },
  },
};

function control(method: string, path: string): OperationInfo {
  return {
    method,
    path,
    tag: "controls",
    location: "controls.yaml:1",
    parameters: [],
    mediaType: "application/json",
    responses: {},
  };
}
