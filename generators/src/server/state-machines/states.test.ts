import { DiagnosticsError } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { artifact, textOfFile } from "../generate-server.support.js";
import { emitServerStates } from "./states.js";

test("a state machine has types of its states and transitions, and a constant", async () => {
  const text = await statesOf(`
    Pet:
      type: object
      properties:
        mood:
          type: string
          enum: [calm, angry]
          x-state-machine:
            hidden: {asleep: calm}
            initial:
              - {event: createPet, when: {body: {required: [teeth]}}, to: angry, then: [calm], duration: PT2M}
              - {event: createPet, to: calm}
            transitions:
              - {event: feed_pet, from: [angry], to: calm, error: not-hungry}
              - {event: feed_pet, from: [angry], when: {body: {required: [teeth]}}, to: $deleted, error: not-hungry}
              - {event: feed_pet, subject: $request.body#/friend, from: {except: [asleep]}, to: angry, while: meals, limit: bites, error: sleeps}
              - {event: {platform: night}, from: {except: []}, to: asleep, then: [$previous]}
              - {event: {after: PT1H}, from: [angry], to: calm}
              - {event: {at: bedtime}, from: [calm], to: asleep}`);
  expect(text).toBe(
    `import { type StateMachine, type StateRule, createStateMachine } from "@plumbline/server-runtime";
import { type Issues, addIssueAt, hasOwn, isObject } from "@plumbline/server-runtime/validator";

function checkWithTeeth(value: unknown, issues: Issues): void {
  if (isObject(value) && !hasOwn(value, "teeth")) addIssueAt(issues, "teeth", "required");
}

export type PetMoodState = "calm" | "angry" | "asleep";

/** The next state of each trigger, by state. */
export interface PetMoodTransitions {
  readonly calm: {
    readonly "feedPet:friend": "angry";
    readonly "platform:night": "asleep";
    readonly "at:bedtime": "asleep";
  };
  readonly angry: {
    readonly feedPet: "calm" | "$deleted";
    readonly "feedPet:friend": "angry";
    readonly "platform:night": "asleep";
    readonly "after:PT1H": "calm";
  };
  readonly asleep: {
    readonly "platform:night": "asleep";
  };
}

/**
 * A handler for each transition of \`Pet.mood\` that no request causes, but the platform or time. It gets the
 * object, and its state before.
 *
 * Write \`const triggers = {…} satisfies PetMoodTriggers<Row>\`, so that the compiler reports a missing one.
 */
export interface PetMoodTriggers<Stored> {
  readonly "platform:night": (object: Stored, state: PetMoodState) => unknown;
  readonly "after:PT1H": (object: Stored, state: "angry") => unknown;
  readonly "at:bedtime": (object: Stored, state: "calm") => unknown;
}

/**
 * The states of \`Pet.mood\`.
 *
 * From spec/openapi.yaml#/components/schemas/Pet/properties/mood/x-state-machine
 */
export const petMood: StateMachine<
  PetMoodTransitions,
  Exclude<PetMoodState, "asleep">
> = /* @__PURE__ */ createStateMachine({
  name: "PetMood",
  resource: "Pet",
  field: "mood",
  states: ["calm", "angry", "asleep"],
  hidden: { asleep: "calm" },
  initial: [
    {
      trigger: "createPet",
      when: { body: checkWithTeeth },
      initialState: { to: "angry", then: ["calm"], durationSeconds: 120 },
    },
    { trigger: "createPet", initialState: { to: "calm", then: [] } },
  ],
  transitions: [
    { trigger: "feedPet", from: ["angry"], transition: { to: "calm", then: [], error: "not-hungry" } },
    {
      trigger: "feedPet",
      from: ["angry"],
      when: { body: checkWithTeeth },
      transition: { to: "$deleted", then: [], error: "not-hungry" },
    },
    {
      trigger: "feedPet:friend",
      from: ["calm", "angry"],
      transition: { to: "angry", then: [], error: "sleeps", while: "meals", limit: "bites" },
    },
    { trigger: "platform:night", from: ["calm", "angry", "asleep"], transition: { to: "asleep", then: ["$previous"] } },
    { trigger: "after:PT1H", from: ["angry"], afterSeconds: 3600, transition: { to: "calm", then: [] } },
    { trigger: "at:bedtime", from: ["calm"], transition: { to: "asleep", then: [] } },
  ],
});

/** The states that each operation requires of stored objects, by name. */
export const operationStates: Readonly<Record<string, readonly StateRule[]>> = {
  feedPet: [
    {
      stateMachine: "PetMood",
      resource: "Pet",
      field: "mood",
      transitions: [
        { from: ["angry"], error: "not-hungry" },
        { from: ["angry"], when: { body: checkWithTeeth }, error: "not-hungry" },
      ],
    },
    {
      stateMachine: "PetMood",
      resource: "Pet",
      field: "mood",
      subject: { root: "request", part: "body", pointer: ["friend"] },
      transitions: [{ from: ["calm", "angry"], error: "sleeps" }],
    },
  ],
};
`.trim(),
  );
});

test("a hidden state without a replacement has no visible state; a final state has no transitions; no field, no field", async () => {
  const text = await statesOf(`
    Pet: {x-state-machine: {states: [here], hidden: {away: $deleted}, initial: [{event: createPet, to: here}], transitions: []}}`);
  expect(text).toContain(`export interface PetStateTransitions {
  readonly here: object;
  readonly away: object;
}`);
  expect(text).toContain(
    'export const petState: StateMachine<PetStateTransitions, Exclude<PetState, "away"> | undefined> =\n  /* @__PURE__ */ createStateMachine({\n    name: "PetState",\n    resource: "Pet",\n    states: ["here", "away"],\n',
  );
});

const maybe = "when: {changes: [name]}";

test.each([
  ["in no state", "{event: feed_pet, from: {except: []}, to: a}", false],
  [
    "in no state, since two transitions leave them all",
    "{event: feed_pet, from: [a], to: b}, {event: feed_pet, from: [b], to: a}",
    false,
  ],
  ["in one", "{event: feed_pet, from: [a], to: b, error: no}", true],
  [
    "in no state, whatever the conditions",
    `{event: feed_pet, ${maybe}, from: {except: []}, to: a}, {event: feed_pet, when: {}, from: {except: []}, to: b}`,
    false,
  ],
  [
    "where one condition holds alone",
    `{event: feed_pet, ${maybe}, from: [a], to: b, error: no}, {event: feed_pet, when: {}, from: [b], to: a, error: no}`,
    true,
  ],
  [
    "in no state, since what has no condition leaves them all",
    `{event: feed_pet, ${maybe}, from: [a], to: b}, {event: feed_pet, from: {except: []}, to: a}`,
    false,
  ],
  [
    "where the condition does not hold",
    `{event: feed_pet, ${maybe}, from: [a], to: b, error: no}, {event: feed_pet, from: [b], to: a, error: no}`,
    true,
  ],
  ["by the platform alone", "{event: {platform: feedPet}, from: [a], to: b}", false],
])("an operation has a rule if it can be rejected: %s", async (_, transitions, hasRule) => {
  const text = await statesOf(`
    Pet: {x-state-machine: {states: [a, b], initial: [{event: createPet, to: a}], transitions: [${transitions}]}}`);
  expect(text.includes("\n  feedPet: [")).toBe(hasRule);
});

test("operations without a path have rules too", async () => {
  const text = await statesOf(`
    Pet: {x-state-machine: {states: [a, b], initial: [{event: createPet, to: a}], transitions: [{event: putPhoto, from: [a], to: b, error: no}]}}
  pathItems:
    photo: {put: {operationId: putPhoto, responses: {'200': {description: ok}}}}`);
  expect(text).toContain(
    '\n  putPhoto: [{ stateMachine: "PetState", resource: "Pet", transitions: [{ from: ["a"], error: "no" }] }],\n',
  );
});

test("where nothing has states, nothing is asked", async () => {
  expect(await statesOf(" {}")).toBe(`import type { StateRule } from "@plumbline/server-runtime";

/** The states that each operation requires of stored objects, by name. */
export const operationStates: Readonly<Record<string, readonly StateRule[]>> = {};`);
});

const one = (name: string, by = "createPet"): string =>
  `{x-name: ${name}, states: [a], initial: [{event: ${by}, to: a}], transitions: []}`;

test.each([
  [`${one("Mood")}, ${one("mood")}`, "names/collision Another export of the server has the name mood."],
  [one("Delete"), "names/reserved A state machine cannot be called delete."],
  [one("operationStates"), "names/collision Another export of the server has the name operationStates."],
])("%s has no good name", async (stateMachines, diagnostic) => {
  const rejected = await statesOf(`\n    Pet: {x-state-machine: [${stateMachines}]}`).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(DiagnosticsError);
  const { diagnostics } = rejected as DiagnosticsError;
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([diagnostic]);
});

/** Emits `states.ts` of an API that can create and feed pets, with these schemas. */
async function statesOf(schemas: string): Promise<string> {
  const replying = "responses: {'200': {description: ok}}";
  const paths = `/pets:
  post: {operationId: createPet, ${replying}}
  put: {operationId: feed_pet, ${replying}}
  patch: {operationId: renamed, x-name: patchPet, ${replying}}`;
  const api = await buildFixtureApi(withPaths(paths, `components:\n  schemas:${schemas}\n`));
  return textOfFile(emitServerStates(api, artifact));
}

test("the type of the states is that of the field's schema; with hidden states, it has another name", async () => {
  const petsWith = (hidden: string): Promise<string> =>
    statesOf(`
    PetStatus: {type: string, enum: [here]}
    Pet:
      type: object
      properties:
        status:
          $ref: '#/components/schemas/PetStatus'
          x-state-machine: {${hidden}initial: [{event: createPet, to: here}], transitions: [{event: {platform: night}, from: {except: []}, to: here}]}`);
  const text = await petsWith("");
  expect(text).toContain('readonly "platform:night": (object: Stored, state: PetStatus) => unknown;');
  expect(text).toContain('import type { PetStatus } from "./types.js";');
  expect(text).not.toContain("export type");
  expect(await petsWith("hidden: {away: here}, ")).toContain('export type StoredPetStatus = "here" | "away";');
});
