import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cleanUp } from "./clean-up.js";
import { openJournal, readJournal } from "./cleanup/journal.js";
import { serveNotes } from "./notes-server.support.js";
import { runSuite } from "./run-suite.js";
import { createNoteCase, notesSuite } from "./suite.support.js";

const twoNotes = createNoteCase({
  steps: [
    { make: "Note", as: "note" },
    { call: "createNote", body: { title: "x" } },
  ],
});

it("deletes what a crashed run has left in its own account", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const suite = notesSuite([twoNotes]);
  const where = { url: server.url, controls: server.controls, credentials: {} };
  // A crash leaves only the lines on disk.
  let crashed = "";
  const crashes = createNoteCase({ steps: [...twoNotes.steps, { code: "crash" }] });
  await runSuite(suite, {
    ...where,
    cases: [crashes],
    seed: 1,
    runId: "crashing",
    journal,
    scenarios: {
      crash: async () => {
        crashed = readFileSync(journal, "utf8");
        return null;
      },
    },
  });
  expect(server.notes.size).toBe(0);
  expect(readJournal(journal, "crashing")).toEqual([]);
  expect(crashed).not.toContain("token");

  const again = journalFile();
  // The last line is truncated, as after a crash.
  appendFileSync(again, `${crashed}{"made":{"oper`);
  const made = readJournal(again, "crashing");
  expect(made.map(({ deletedBy, path: at, account }) => ({ remove: deletedBy, at, account }))).toEqual([
    { remove: "deleteNote", at: { noteId: 1 }, account: "ccrashing-account-0" },
    { remove: "deleteNote", at: { noteId: 2 }, account: "ccrashing-account-0" },
  ]);
  server.notes.set(1, { id: 1, title: "left", account: "ccrashing-account-0", state: "filed" });
  server.notes.set(3, { id: 3, title: "another client's", account: "house", state: "filed" });
  const report = await cleanUp(suite, { ...where, journal: again, runId: "crashing" });
  expect(report).toEqual({ found: 2, removed: 2, remaining: [] });
  expect([...server.notes.keys()]).toEqual([3]);
  expect(readJournal(again, "crashing")).toEqual([]);
  expect(server.log.filter((line) => line.startsWith("DELETE")).slice(-2)).toEqual([
    "DELETE /v1/notes/2",
    "DELETE /v1/notes/1",
  ]);
});

it("calls as a new user of each account", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const { recordCreation, close } = openJournal(journal, {
    runId: "crashing",
    url: server.url,
    started: "2026-01-01T00:00:00Z",
  });
  const note = { operation: "createNote", resource: "Note", deletedBy: "deleteNote", username: "u" };
  for (const id of [1, 2]) {
    recordCreation({ ...note, path: { noteId: id }, account: `worker-${id}` });
    server.notes.set(id, { id, title: "left", account: `worker-${id}`, state: "filed" });
  }
  close();
  const where = { url: server.url, controls: server.controls, credentials: {} };
  const report = await cleanUp(notesSuite([]), { ...where, journal, runId: "crashing" });
  expect(report).toEqual({ found: 2, removed: 2, remaining: [] });
  expect(server.notes.size).toBe(0);
});

it("reports what it cannot delete, and leaves it in the journal", async () => {
  const server = await serveNotes();
  const journal = journalFile();
  const { recordCreation, close } = openJournal(journal, {
    runId: "gone",
    url: server.url,
    started: "2026-01-01T00:00:00Z",
  });
  recordCreation({
    operation: "createNote",
    resource: "Note",
    deletedBy: "deleteNote",
    path: { noteId: 1 },
    account: "worker",
    username: "u",
  });
  close();
  const report = await cleanUp(notesSuite([]), { url: server.url, credentials: {}, journal, runId: "gone" });
  expect(report).toEqual({
    found: 1,
    removed: 0,
    remaining: [
      "The account worker cannot be reached without the server's test controls. Pass their address with --controls.",
    ],
  });
  expect(readJournal(journal, "gone")).toHaveLength(1);
  expect(readJournal(journal, "another")).toEqual([]);
});

function journalFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "journal-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return path.join(folder, "journal.jsonl");
}
