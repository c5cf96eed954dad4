import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cleanUp } from "../clean-up.js";
import { serveNotes, type NotesServer } from "../notes-server.support.js";
import type { RunOptions, RunReport } from "../results.js";
import { runSuite } from "../run-suite.js";
import type { Case, OperationInfo, Suite } from "../suite.js";
import { createNoteCase, notesSuite } from "../suite.support.js";
import { openJournal, readJournal } from "./journal.js";

const account = "ctesttest-account-0";

it("deletes what its requests created by naming it, and nothing that existed before", async () => {
  const server = await serveNotes();
  server.topics.add(`${account} home`).add("house work");
  const journal = journalFile();
  const report = await run(server, { cases: [naming(["home", "work", { $unique: "label" }])], journal });
  expect(report).toMatchObject({ passed: true, errors: [] });
  expect([...server.topics]).toEqual([`${account} home`, "house work"]);
  expect(server.log.filter((line) => line.startsWith("DELETE /v1/topics"))).toEqual([
    "DELETE /v1/topics/work",
    "DELETE /v1/topics/ctesttest-0-0",
  ]);
  expect(readFileSync(journal, "utf8")).not.toContain('"home"');
  expect(readJournal(journal, "testtest")).toEqual([]);
});

it("does not delete again what a case has deleted itself", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const tidies = naming(["work"], { call: "deleteTopic", path: { label: "work" } });
  expect(await run(server, { cases: [tidies], journal })).toMatchObject({ passed: true });
  expect(server.log.filter((line) => line.startsWith("DELETE /v1/topics"))).toHaveLength(1);
  expect(readJournal(journal, "testtest")).toEqual([]);
});

it("reports objects that another client created meanwhile, and keeps them", async () => {
  const server = await serveNotes();
  const scenarios = { meanwhile: async () => (server.topics.add(`${account} theirs`), null) };
  const report = await run(server, { cases: [naming(["work"], { code: "meanwhile" })], scenarios });
  expect(report.errors).toEqual([
    `The account ${account} has Topic theirs, which it did not have before the run (listTopics).`,
  ]);
  expect([...server.topics]).toEqual([`${account} theirs`]);
});

it("ignores names in a request that the server rejects", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const body = { title: { $repeat: ["x", 33] }, topics: ["work"] };
  const rejected = createNoteCase({ steps: [{ call: "createNote", body, expect: { status: 400 } }] });
  expect(await run(server, { cases: [rejected], journal })).toMatchObject({ passed: true });
  expect(readFileSync(journal, "utf8")).not.toContain("work");
});

it("deletes, after a crash, what has a name of the run, and lists the rest", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const { recordCreation, close } = openJournal(journal, {
    runId: "crashing",
    url: server.url,
    started: "2026-01-01T00:00:00Z",
  });
  for (const label of ["ccrashing-0-0", "work"]) {
    const topic = { operation: "createNote", resource: "Topic", deletedBy: "deleteTopic", path: { label } };
    recordCreation({ ...topic, account: "worker", username: "u", isImplicit: true });
    server.topics.add(`worker ${label}`);
  }
  close();
  const { url, controls } = server;
  const report = await cleanUp(topicsSuite([]), { url, controls, credentials: {}, journal, runId: "crashing" });
  expect(report).toEqual({
    found: 2,
    removed: 1,
    remaining: [
      "Topic work was not deleted: createNote named it, and another client may own it. If not, delete it with deleteTopic.",
    ],
  });
  expect([...server.topics]).toEqual(["worker work"]);
  expect(readJournal(journal, "crashing").map((each) => each.path)).toEqual([{ label: "work" }]);
});

/** A suite whose notes create topics by naming them. */
function topicsSuite(cases: readonly Case[]): Suite {
  const suite = notesSuite(cases);
  const { createNote, deleteNote, listNotes } = suite.operations;
  if (createNote === undefined || deleteNote === undefined || listNotes === undefined) throw new Error("No notes.");
  const operations: Record<string, OperationInfo> = {
    ...suite.operations,
    createNote: {
      ...createNote,
      sideEffects: [
        { resource: "Topic", pointer: "/topics/*", deletedBy: { call: "deleteTopic", parameter: "label" } },
      ],
    },
    deleteTopic: {
      ...deleteNote,
      path: "/topics/{label}",
      parameters: [{ name: "label", in: "path", segments: 1, style: "simple", explode: false }],
      deletes: "Topic",
    },
    listTopics: { ...listNotes, path: "/topics", parameters: [], lists: "Topic" },
  };
  return { ...suite, operations };
}

function naming(topics: readonly (string | { $unique: string })[], ...more: Case["steps"]): Case {
  return createNoteCase({ steps: [{ call: "createNote", body: { title: "x", topics } }, ...more] });
}

function run(server: NotesServer, given: Pick<RunOptions, "cases" | "journal" | "scenarios">): Promise<RunReport> {
  const { url, controls } = server;
  const where = { url, controls, credentials: {}, seed: 1, workers: 1, runId: "testtest" };
  return runSuite(topicsSuite(given.cases), { ...where, ...given });
}

function journalFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "journal-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return path.join(folder, "journal.jsonl");
}
