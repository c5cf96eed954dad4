import { expect, test } from "vitest";
import { buildFixtureApi, withSchemas } from "../openapi/testing.js";
import { unreachableStates } from "./reachable-states.js";

/** Returns the states that can never follow each state. */
async function never(stateMachine: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const api = await buildFixtureApi(
    withSchemas(`Pet:
  type: object
  properties:
    mood:
      type: string
      enum: [egg, young, old, ill, asleep]
      x-state-machine: {${stateMachine}}`),
  );
  const [found] = api.stateMachines;
  if (found === undefined) throw new Error("there is no machine");
  return Object.fromEntries(unreachableStates(found));
}

const hatching = "initial: [{event: {platform: hatch}, to: egg, then: [young]}]";

test("what is made goes through its states, and no way leads back", async () => {
  const moves = "transitions: [{event: {platform: age}, from: [young], to: old}]";
  expect(await never(`${hatching}, ${moves}`)).toEqual({
    egg: ["ill", "asleep"],
    young: ["egg", "ill", "asleep"],
    old: ["egg", "young", "ill", "asleep"],
    ill: ["egg", "young", "old", "asleep"],
    asleep: ["egg", "young", "old", "ill"],
  });
});

test("what is under way goes on, and what is gone becomes nothing", async () => {
  const moves = "transitions: [{event: {platform: end}, from: [young, old], to: ill, then: [asleep, $deleted]}]";
  const { old, ill, asleep } = await never(`${hatching}, ${moves}`);
  expect({ old, ill, asleep }).toEqual({
    old: ["egg", "young"],
    ill: ["egg", "young", "old"],
    asleep: ["egg", "young", "old", "ill"],
  });
});

const sleep = `{event: {platform: tire}, from: [old, ill], to: asleep}, {event: {platform: wake}, from: [asleep], to: $previous}`;

test("$previous leads back to what was before, and to nothing else", async () => {
  const { old, ill, asleep } = await never(`${hatching}, transitions: [${sleep}]`);
  expect({ old, ill, asleep }).toEqual({
    old: ["egg", "young", "ill"],
    ill: ["egg", "young", "old"],
    // either state may have come before
    asleep: ["egg", "young"],
  });
});

test("who falls asleep in its sleep wakes up as it was", async () => {
  const again = sleep.replace("[old, ill]", "[old, ill, asleep]");
  const { old } = await never(`${hatching}, transitions: [${again}]`);
  expect(old).toEqual(["egg", "young", "ill"]);
});

test("a state that is shown as another leads where either does", async () => {
  const moves =
    "hidden: {frozen: asleep}, transitions: [{event: {platform: freeze}, from: [old], to: frozen}, {event: {platform: thaw}, from: [frozen], to: young}]";
  const { old, asleep, ill } = await never(`${hatching}, ${moves}`);
  expect({ old, asleep, ill }).toEqual({
    old: ["egg", "ill"],
    asleep: ["egg", "old", "ill"],
    ill: ["egg", "young", "old", "asleep"],
  });
});
