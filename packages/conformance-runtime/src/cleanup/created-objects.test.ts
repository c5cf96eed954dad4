import { expect, it } from "vitest";
import { createExchangeLog } from "../http/exchange-log.js";
import type { WorkerAccount } from "./account-snapshot.js";
import { createObjectRegistry, type CreatedObject } from "./created-objects.js";
import { openJournal, type CreationRecord } from "./journal.js";

const maker = { label: "main", username: null, account: null };
const worker: WorkerAccount = { account: null, main: maker, initialSnapshot: new Map() };
const topic: CreationRecord = {
  operation: "createNote",
  resource: "Topic",
  deletedBy: "deleteTopic",
  path: { label: "work" },
  account: null,
  username: null,
};

function held(more: Partial<CreationRecord> = {}): CreatedObject {
  return { record: { ...topic, ...more }, creator: maker, worker, log: createExchangeLog() };
}

it("an explicitly created object belongs to its case, whether it was named before or after", () => {
  const registry = createObjectRegistry(openJournal(undefined, { runId: "", url: "", started: "" }));
  const [earlier, made, later] = [
    held({ isImplicit: true }),
    held({ operation: "createTopic" }),
    held({ isImplicit: true }),
  ];
  registry.add(earlier);
  expect(registry.implicit(worker)).toEqual([earlier]);
  expect(registry.ownedBy(earlier.log)).toEqual([]);
  registry.add(made);
  registry.add(later);
  expect(registry.implicit(worker)).toEqual([]);
  expect(registry.ownedBy(made.log)).toEqual([made]);
  expect(registry.ownedBy(worker)).toEqual([made]);
});

it("lists newest objects first, without deleted ones", () => {
  const registry = createObjectRegistry(openJournal(undefined, { runId: "", url: "", started: "" }));
  const first = held({ path: { label: "a" } });
  const second = { ...held({ path: { label: "b" } }), log: first.log };
  registry.add(first);
  registry.add(second);
  expect(registry.ownedBy(first.log)).toEqual([second, first]);
  expect(registry.remove(first.record)).toBe(true);
  expect(registry.remove(first.record)).toBe(false);
  expect(registry.ownedBy(first.log)).toEqual([second]);
  expect(registry.ownedBy(worker)).toEqual([second]);
});
