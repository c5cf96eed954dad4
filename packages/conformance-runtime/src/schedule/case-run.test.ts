import { expect, test } from "vitest";
import { serveNotes, type NotesServerFaults } from "../notes-server.support.js";
import type { Case } from "../suite.js";
import { createNoteCase, notesSuite } from "../suite.support.js";
import { openCaseRun, type CaseRun, type CaseRunOptions } from "./case-run.js";

const create = { call: "createNote", body: { title: { $unique: "label" } }, as: "made" } as const;
const shares = (id: string) => createNoteCase({ id, steps: [{ make: "Note", as: "note" }, { call: "listNotes" }] });

test("cases share objects, and the end deletes them", async () => {
  const { run, server } = await openNotes([shares("notes/createNote/a"), shares("notes/createNote/b")]);
  for (const each of run.cases) expect(await run.runCase(each)).toMatchObject({ status: "pass" });
  expect(server.log.filter((each) => each === "POST /v1/notes")).toHaveLength(1);
  expect(server.notes.size).toBe(1);
  expect(await run.close()).toEqual([]);
  expect(server.notes.size).toBe(0);
});

test("a case can run again", async () => {
  const { run, server } = await openNotes([createNoteCase({ steps: [create] })]);
  const [each] = run.cases;
  if (each === undefined) throw new Error("There is no case.");
  const results = [await run.runCase(each), await run.runCase(each)];
  expect(results.map(({ status }) => status)).toEqual(["pass", "pass"]);
  expect(await run.close()).toEqual([]);
  expect(server.notes.size).toBe(0);
});

test("concurrent cases have workers of their own, up to the limit; exclusive ones run alone", async () => {
  const cases = Array.from({ length: 6 }, (_, index) =>
    createNoteCase({ id: `notes/createNote/${index}`, steps: [create], ...(index === 3 ? { exclusive: true } : {}) }),
  );
  const { run, server } = await openNotes(cases, { workers: 2 });
  const results = await Promise.all(run.cases.map((each) => run.runCase(each)));
  expect(results.map(({ status }) => status)).toEqual(cases.map(() => "pass"));
  expect(server.log.filter((each) => each === "controls POST /users")).toHaveLength(2);
  expect(await run.close()).toEqual([]);
});

test("an end without cases creates nothing", async () => {
  const { run, server } = await openNotes([createNoteCase({ steps: [create] })]);
  expect(await run.close()).toEqual([]);
  expect(server.log).toEqual(["GET /v1", "controls GET /"]);
});

test("reports what it cannot delete, and that no check was executed", async () => {
  const faulty = await openNotes([createNoteCase({ steps: [create] })], {}, { ignoresDeletion: true });
  for (const each of faulty.run.cases) await faulty.run.runCase(each);
  expect(await faulty.run.close()).not.toEqual([]);

  const skipped = await openNotes([createNoteCase({ steps: [create], requires: ["other-account"] })], {
    controls: undefined,
  });
  for (const each of skipped.run.cases) expect(await skipped.run.runCase(each)).toMatchObject({ status: "skipped" });
  expect(await skipped.run.close()).toEqual(["No check was executed."]);
});

test("reports a wrong credential, and does not start what follows", async () => {
  const cases = Array.from({ length: 16 }, (_, index) =>
    createNoteCase({ id: `notes/createNote/${index}`, steps: [create] }),
  );
  const { run } = await openNotes(cases, { controls: undefined, credentials: { main: "wrong" } });
  const results = [];
  for (const each of run.cases) results.push(await run.runCase(each));
  expect(results.at(-1)).toMatchObject({ status: "error", notStarted: true });
  expect(results.at(-1)?.failures[0]?.message).toContain("responded with 401 to all");
  expect(await run.close()).toEqual([expect.stringContaining("responded with 401 to all")]);
});

test("rejects an address without a server", async () => {
  const suite = notesSuite([]);
  await expect(openCaseRun(suite, { url: "http://127.0.0.1:9", credentials: {}, seed: 1 })).rejects.toThrow(
    "No response from http://127.0.0.1:9",
  );
});

async function openNotes(
  cases: readonly Case[],
  options: Partial<Omit<CaseRunOptions, "controls">> & { readonly controls?: undefined } = {},
  faults: NotesServerFaults = {},
): Promise<{
  readonly run: CaseRun & { readonly cases: readonly Case[] };
  readonly server: Awaited<ReturnType<typeof serveNotes>>;
}> {
  const server = await serveNotes(faults);
  const { controls, ...given } = { controls: server.controls, ...options };
  const run = await openCaseRun(notesSuite(cases), {
    url: server.url,
    credentials: { main: "main-token-0123456789" },
    seed: 1,
    ...given,
    ...(controls === undefined ? {} : { controls }),
  });
  return { run: { ...run, cases }, server };
}
