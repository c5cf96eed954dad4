import { copyFile, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  withDeprecationWarnings,
  type ApiError,
  type CallOptions,
  type Client,
  type DeprecationNotice,
} from "@plumbline/client-runtime";
import { readSuite, runSuite, type RunReport } from "@plumbline/conformance-runtime";
import type { Server } from "@plumbline/server-runtime";
import express from "express";
import { ProblemDocument, ProblemDocumentExtension } from "http-problem-details";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startMockHere } from "../support/mock-process.js";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";
import { hosts } from "../support/server-hosts.js";

type Call = (client: Client, request: object, options?: CallOptions) => Promise<unknown>;
interface NotesClient {
  readonly createClient: (options: object) => Client;
  readonly createNote: Call;
  readonly getNote: Call;
  readonly deleteNote: Call;
  readonly listNotes: Call;
  readonly findNotes: Call;
}

let folder: string;
let client: NotesClient;
let createNotes: (errorBody?: (error: { readonly errors: readonly object[] }) => unknown) => Server;
let validator: (options: object) => express.RequestHandler;

beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  for (const file of ["notes.yaml", "notes.server.ts"])
    await copyFile(path.join(repository, "test", "descriptions", "annotated", file), path.join(folder, file));
  const listed = (...names: readonly string[]): string =>
    `{description: notes.yaml, artifacts: {${names.map((name) => `${name}: {package: '@notes/${name}', out: ${name}}`).join(", ")}}}`;
  // One program compiles all sources, so the server carries its validator and imports none.
  const config = `descriptions: [${listed("client", "server", "conformance")}, ${listed("validator")}]\n`;
  await writeFile(path.join(folder, "plumbline.yaml"), `ruleset: minimal\n${config}`);
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
  const text = await readFile(path.join(folder, "server", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: object };
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  const include = ["notes.server.ts", "server/src", "client/src", "validator/src"];
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions: options, include }));
  expect(await compileProject(project, { in: folder })).toEqual({ code: 0, out: "", error: "" });
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(path.join(folder, "out", file)).href);
  ({ createNotes } = (await load("notes.server.js")) as { readonly createNotes: typeof createNotes });
  ({ validator } = (await load("validator/src/gen/express.js")) as { readonly validator: typeof validator });
  client = (await load("client/src/index.js")) as NotesClient;
});
afterAll(() => rm(folder, { recursive: true }));

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The error of a call, as the client reads it. */
async function errorOf(call: Promise<unknown>): Promise<Pick<ApiError, "status" | "errors" | "message">> {
  const error = (await call.then(
    () => expect.fail("the call succeeds"),
    (thrown: unknown) => thrown,
  )) as ApiError;
  return { status: error.status, errors: error.errors, message: error.message.replace(/^.*: (?=\d)/, "") };
}

const invalid = { topic: "", lines: [{ text: "a" }, {}] };
const invalidNote = {
  status: 400,
  errors: [
    { field: "#/topic", reason: "must be 1 to 40 characters" },
    { field: "#/lines/1/text", reason: "is required" },
  ],
  message: "400 must be 1 to 40 characters (#/topic); is required (#/lines/1/text)",
};

describe.each(Object.keys(hosts) as (keyof typeof hosts)[])("a generated server on %s", (name) => {
  it("writes problems and deprecations that the generated client reads", async () => {
    const host = await hosts[name](createNotes());
    onTestFinished(host.close);
    const notices: DeprecationNotice[] = [];
    const { createClient, createNote, getNote, listNotes, findNotes } = client;
    const notes = createClient({
      baseUrl: `${host.url}/v1`,
      fetch: withDeprecationWarnings({ onDeprecation: (notice) => notices.push(notice) }),
    });
    expect(await errorOf(createNote(notes, { body: invalid }))).toEqual(invalidNote);
    expect(await errorOf(createNote(notes, { body: { topic: "a", mood: "none" } }))).toEqual({
      status: 422,
      errors: [{ field: "#/mood", reason: "A note has a mood" }],
      message: "422 A note has a mood (#/mood)",
    });
    expect(await errorOf(getNote(notes, { path: { noteId: 7 } }))).toEqual({
      status: 404,
      errors: [{ field: undefined, reason: "There is no such note" }],
      message: "404 There is no such note",
    });
    expect(await errorOf(listNotes(notes, { query: { limit: 0 } }))).toEqual({
      status: 400,
      errors: [{ field: "limit", reason: "must be 1 to 100" }],
      message: "400 must be 1 to 100 (limit)",
    });
    expect(notices).toEqual([]);
    expect(await findNotes(notes, { query: { topic: "a" } })).toEqual([]);
    expect(notices).toMatchObject([
      {
        url: `${host.url}/v1/find`,
        deprecation: new Date("2026-01-01"),
        sunset: new Date("2027-06-30"),
        links: [
          { rel: "deprecation", url: "https://notes.example/changes" },
          { rel: "sunset", url: "https://notes.example/policy" },
          { rel: "successor-version", url: `${host.url}/v1/notes` },
        ],
      },
    ]);
  });
});

/** Each creates what listens at a URL, with the path `/v1`. */
const receivers: Readonly<Record<string, () => Promise<string>>> = {
  server: async () => {
    const host = await hosts.node(createNotes());
    onTestFinished(host.close);
    return `${host.url}/v1`;
  },
  mock: async () => {
    const mock = await startMockHere(folder, ["notes.yaml"]);
    onTestFinished(() => void mock.end());
    return mock.url;
  },
  validator: async () => {
    const app = express();
    app.use(validator({ basePath: "/v1" }));
    app.post("/v1/notes", (_, response) => void response.status(201).json({ topic: "a", id: 1 }));
    app.delete("/v1/notes/:noteId", (_, response) => void response.status(204).end());
    return `${await listen(app)}/v1`;
  },
};

it.each(Object.entries(receivers))(
  "a generated %s does not reject a call without a result for its `Accept`",
  async (_, receive) => {
    const { createClient, createNote, deleteNote } = client;
    const notes = createClient({ baseUrl: await receive() });
    for (const options of [{}, { headers: { accept: "application/json" } }, { headers: { accept: "text/html" } }]) {
      const { id } = (await createNote(notes, { body: { topic: "a" } })) as { readonly id: number };
      expect(await deleteNote(notes, { path: { noteId: id } }, options)).toBeUndefined();
    }
  },
);

it("a generated validator on Express writes problems that the client reads", async () => {
  const app = express();
  app.use(validator({ basePath: "/v1" }));
  const url = await listen(app);
  const notes = client.createClient({ baseUrl: `${url}/v1` });
  expect(await errorOf(client.createNote(notes, { body: invalid }))).toEqual(invalidNote);
  const response = await fetch(`${url}/v1/notes`, { method: "PATCH" });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({ type: "about:blank", title: "Method Not Allowed", status: 405 });
});

it("the client reads the problems of http-problem-details", async () => {
  const app = express();
  const errors = [{ detail: "must be a number", pointer: "#/age" }];
  app.post("/notes", (_, response) => {
    const problem = { type: "https://example.net/validation-error", title: "Your request is not valid.", status: 422 };
    const document = new ProblemDocument(problem, new ProblemDocumentExtension({ errors }));
    response.status(422).type("application/problem+json").send(JSON.stringify(document));
  });
  app.get("/notes", (_, response) => {
    const document = new ProblemDocument({ status: 403, detail: "Your balance is 30.", instance: "/account/12345" });
    response.status(403).type("application/problem+json").send(JSON.stringify(document));
  });
  const notes = client.createClient({ baseUrl: await listen(app) });
  expect(await errorOf(client.createNote(notes, { body: { topic: "a" } }))).toEqual({
    status: 422,
    errors: [{ field: "#/age", reason: "must be a number" }],
    message: "422 must be a number (#/age)",
  });
  expect(await errorOf(client.listNotes(notes, {}))).toMatchObject({ message: "403 Your balance is 30." });
});

describe("the generated suite", () => {
  async function run(server: Server): Promise<RunReport> {
    const suite = readSuite(pathToFileURL(path.join(folder, "conformance", "data", path.sep)));
    const host = await hosts.node(server);
    onTestFinished(host.close);
    return runSuite(suite, { url: `${host.url}/v1`, credentials: {}, cases: suite.cases, seed: 1 });
  }
  const failed = ({ results }: RunReport): readonly string[] =>
    results.flatMap(({ case: { id }, status }) => (status === "fail" || status === "error" ? [id] : []));

  it("passes on the generated server", async () => {
    const report = await run(createNotes());
    expect(failed(report)).toEqual([]);
    expect(report.passed).toBe(true);
    expect(report.results.map(({ case: { id } }) => id)).toContain("notes/findNotes/headers/deprecation");
    expect(report.results.length).toBeGreaterThan(60);
  });

  it("fails on a server whose errors have another form", async () => {
    const cases = failed(await run(createNotes(({ errors }) => ({ errors }))));
    expect(cases).toContain("notes/createNote/http/body/malformed");
    expect(cases).toContain("notes/getNote/http/methods");
  });
});
