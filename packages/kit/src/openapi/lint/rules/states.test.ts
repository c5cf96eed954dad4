import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages, type DescriptionParts } from "../lint-fixture.support.js";

/** A state machine on the field `status`, with the states kept and lost. */
const machine = (text: string, note = "x-resource: {owner: [user]}"): DescriptionParts => ({
  note,
  operation: "x-errors: [{id: note-lost, status: 400, field: null}]",
  properties: `status:\n  type: string\n  enum: [kept, lost]\n  x-state-machine:\n${text.replaceAll(/^/gm, "    ")}`,
});

const whole = `initial: [{event: createNote, to: kept}]
transitions:
  - {event: {platform: loses}, from: [kept], to: lost}
  - {event: {platform: finds}, from: [lost], to: $previous}
  - {event: createNote, from: [kept], to: kept, error: note-lost}`;

test("a machine without a fault", async () => {
  expect(await lintFixture(buildDescription(machine(whole)))).toEqual([]);
});

describe("states/enum", () => {
  test("states equal the enum and the hidden ones", async () => {
    const more = `\n  - {event: {platform: burns}, from: {except: []}, to: burnt}`;
    expect(
      await lintMessages("states/enum", machine(`states: [kept, lost, burnt]\nhidden: {burnt: lost}\n${whole}${more}`)),
    ).toEqual([]);
    expect(await lintMessages("states/enum", machine(`states: [kept, torn]\n${whole}`))).toEqual([
      "The states differ from the enum: the enum lacks torn; the states lack lost.",
    ]);
  });

  test("a hidden state is not in the enum, and is shown as one that is, or not at all", async () => {
    expect(await lintMessages("states/enum", machine(`hidden: {lost: kept}\n${whole}`))).toEqual([
      'The hidden state "lost" is in the enum.',
    ]);
    expect(await lintMessages("states/enum", machine(`hidden: {burnt: ash}\n${whole}`))).toEqual([
      '"burnt" is shown as "ash", which is not a visible state.',
    ]);
    expect(await lintMessages("states/enum", machine(`hidden: {burnt: $deleted}\n${whole}`))).toEqual([]);
  });

  test("a machine on a schema lists its states", async () => {
    const note = (states: string) => ({
      note: `x-resource: {owner: [user]}\nx-state-machine: {${states}initial: [{event: createNote, to: kept}], transitions: []}`,
    });
    expect(await lintMessages("states/enum", note(""))).toEqual(["Nothing says what the states are."]);
    expect(await lintFixture(buildDescription(note("states: [kept], ")))).toEqual([]);
  });
});

test("states/unknown: every state that is named is one", async () => {
  expect(
    await lintMessages(
      "states/unknown",
      machine(whole.replace("from: [kept], to: lost", "from: [kpet, kept], to: lost")),
    ),
  ).toEqual(['There is no state "kpet".']);
  expect(
    await lintMessages(
      "states/unknown",
      machine(whole.replace("createNote, to: kept}]", "createNote, to: $deleted}]")),
    ),
  ).toEqual(['There is no state "$deleted".']);
});

describe("states/unreachable", () => {
  test("what no chain leads to", async () => {
    expect(
      await lintMessages(
        "states/unreachable",
        machine(whole.replace("{platform: loses}, from: [kept]", "{platform: loses}, from: [lost]")),
      ),
    ).toEqual(['Nothing leads to the state "lost".']);
  });

  test("a chain through `then` and through all but some leads there", async () => {
    const text = `initial: [{event: createNote, to: kept, then: [lost]}]\ntransitions:\n  - {event: {platform: burns}, from: {except: [kept]}, to: burnt}`;
    expect(await lintMessages("states/unreachable", machine(`hidden: {burnt: lost}\n${text}`))).toEqual([]);
    expect(
      await lintMessages(
        "states/unreachable",
        machine(`hidden: {burnt: lost}\n${text.replace("[kept]}, to", "[kept, lost]}, to")}`),
      ),
    ).toEqual(['Nothing leads to the state "burnt".']);
  });
});

test("states/missing-error: a rejected operation has an error", async () => {
  expect(await lintMessages("states/missing-error", machine(whole.replace(", error: note-lost", "")))).toEqual([
    "createNote is rejected in lost without a stated error.",
  ]);
  expect(
    await lintMessages(
      "states/missing-error",
      machine(whole.replace("from: [kept], to: kept, error: note-lost", "from: {except: []}, to: kept")),
    ),
  ).toEqual([]);
});

test("states/not-a-resource: resources have states", async () => {
  expect(await lintMessages("states/not-a-resource", machine(whole, ""))).toEqual([
    "No resource has this state machine.",
  ]);
});

test("several state machines of a resource are checked one by one", async () => {
  const one = (name: string, to: string) =>
    `  - {x-name: ${name}, states: [none, done], initial: [{event: createNote, to: none}], transitions: [{event: {platform: acts}, from: [none], to: ${to}}]}\n`;
  const note = (second: string) => ({
    note: `x-resource: {owner: [user]}\nx-state-machine:\n${one("First", "done")}${one("Second", second)}`,
  });
  expect(await lintFixture(buildDescription(note("done")))).toEqual([]);
  expect(await lintMessages("states/unreachable", note("none"))).toEqual(['Nothing leads to the state "done".']);
});
