import { expect, it } from "vitest";
import { openJournal, type Made } from "./journal.js";
import { keepLedger, type Held } from "./ledger.js";
import type { Lane } from "./stage.js";
import { newTrail } from "./trail.js";

const maker = { words: "main", username: null, account: null };
const lane: Lane = {
  index: 0,
  account: null,
  main: maker,
  unique: () => "",
  callers: new Map(),
  byToken: new Map(),
  fixtures: new Map(),
  had: new Map(),
};
const topic: Made = {
  operation: "createNote",
  resource: "Topic",
  remove: "deleteTopic",
  path: { label: "work" },
  account: null,
  username: null,
};

function held(more: Partial<Made> = {}): Held {
  return { made: { ...topic, ...more }, maker, lane, trail: newTrail() };
}

it("an explicitly created object belongs to its case, whether it was named before or after", () => {
  const ledger = keepLedger(openJournal(undefined, { runId: "", url: "", started: "" }));
  const [earlier, made, later] = [held({ named: true }), held({ operation: "createTopic" }), held({ named: true })];
  ledger.add(earlier);
  expect(ledger.named(lane)).toEqual([earlier]);
  expect(ledger.of(earlier.trail)).toEqual([]);
  ledger.add(made);
  ledger.add(later);
  expect(ledger.named(lane)).toEqual([]);
  expect(ledger.of(made.trail)).toEqual([made]);
  expect(ledger.of(lane)).toEqual([made]);
});

it("lists newest objects first, without deleted ones", () => {
  const ledger = keepLedger(openJournal(undefined, { runId: "", url: "", started: "" }));
  const first = held({ path: { label: "a" } });
  const second = { ...held({ path: { label: "b" } }), trail: first.trail };
  ledger.add(first);
  ledger.add(second);
  expect(ledger.of(first.trail)).toEqual([second, first]);
  expect(ledger.remove(first.made)).toBe(true);
  expect(ledger.remove(first.made)).toBe(false);
  expect(ledger.of(first.trail)).toEqual([second]);
  expect(ledger.of(lane)).toEqual([second]);
});
