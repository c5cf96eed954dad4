import type { Case } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { contextFromText } from "../context/fixture-context.support.js";
import type { ConformanceSettings } from "../context/settings.js";
import { effectCases } from "./effects/effects.js";
import { errorCases } from "./errors.js";
import { stateCases } from "./lifecycle/states.js";
import { outcomeRateCases } from "./limits/outcome-rates.js";
import { uniqueCases } from "./limits/uniqueness.js";
import { schemaCases } from "./schema-cases.js";

const lamp = "content: {application/json: {schema: {$ref: '#/components/schemas/Lamp'}}}";
const body = `requestBody: {required: true, ${lamp}}`;
const lamps = `openapi: 3.1.0
info: {title: Lamps, version: '1'}
x-errors:
  - {id: taken, status: 409, field: name}
  - {id: too-many, status: 429}
  - {id: no-code, status: 400}
paths:
  /lamps:
    post: {operationId: createLamp, tags: [lamps], ${body}, responses: {'201': {description: Made., ${lamp}}}}
  /lamps/{lampId}:
    parameters: [&lamp {name: lampId, in: path, required: true, schema: {type: integer}, x-reference: {to: Lamp}}]
    get: {operationId: getLamp, tags: [lamps], responses: {'200': {description: One., ${lamp}}}}
    put:
      operationId: updateLamp
      tags: [lamps]
      ${body}
      x-errors:
        - id: too-bright
          status: 400
          when: {body: {properties: {dim: {const: true}}, required: [dim]}}
      responses: {'200': {description: Changed., ${lamp}}}
    delete: {operationId: deleteLamp, tags: [lamps], responses: {'204': {description: Gone.}}}
  /lamps/{lampId}/off:
    parameters: [*lamp]
    post:
      operationId: turnOff
      tags: [lamps]
      x-effects: [{id: off, does: set, to: $request.path.lampId, values: {lit: false}}]
      responses: {'204': {description: Dark.}}
  /lamps/{lampId}/on:
    parameters: [*lamp]
    post:
      operationId: turnOn
      tags: [lamps]
      x-effects: [{id: on, does: set, to: $request.path.lampId, values: {lit: true}}]
      responses: {'204': {description: Light.}}
  /lamps/{lampId}/code:
    parameters: [*lamp]
    post:
      operationId: sendCode
      tags: [lamps]
      x-limits: [{id: codes, kind: outcome-rate, max: 3, window: PT10M, counts: {effects: [sent]}, error: too-many}]
      x-effects: [{id: sent, does: create, to: Lamp}]
      responses: {'204': {description: Sent.}}
  /lamps/{lampId}/pairing:
    parameters: [*lamp]
    put: {operationId: pair, tags: [lamps], responses: {'204': {description: Paired.}}}
components:
  schemas:
    Lamp:
      type: object
      required: [id, name, watts, dim, lit]
      x-resource: {owner: [account], read: getLamp, delete: deleteLamp}
      x-limits: [{id: lamp-name, kind: unique, by: [name], within: account, error: taken}]
      x-state-machine:
        x-name: Pairing
        states: [open, paired]
        initial: [{event: createLamp, to: open}]
        transitions:
          - {event: pair, from: [open], to: paired, error: no-code}
          - {event: {after: PT10M}, from: [open], to: paired}
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        watts: {type: integer, enum: [3, 7]}
        dim: {type: boolean}
        lit: {type: boolean, readOnly: true}
`;

const settings: Partial<ConformanceSettings> = {
  operations: {
    turnOff: { before: [{ call: "turnOn", path: { lampId: { $get: "lamp#/id" } } }] },
    createLamp: { body: { name: { $unique: "label" }, watts: 3, dim: false } },
  },
  errors: { updateLamp: { "too-bright": { fails: { body: { dim: true, watts: 7 } } } } },
};

async function stepsOf(
  generate: (context: Awaited<ReturnType<typeof contextFromText>>) => readonly Case[],
  id: string,
): Promise<Case["steps"] | undefined> {
  return generate(await contextFromText(lamps, settings)).find((each) => each.id === `lamps/${id}`)?.steps;
}

const path = { lampId: { $get: "lamp#/id" } };
const own = { make: "Lamp", as: "lamp", fresh: true };

test("an update is undone by another one, and made again", async () => {
  const steps = await stepsOf(schemaCases, "updateLamp/there-and-back");
  expect(steps?.map((step) => ("call" in step ? [step.call, step.body] : step))).toMatchObject([
    own,
    ["updateLamp", { watts: 7, dim: true, name: { $unique: "label" } }],
    ["getLamp", undefined],
    ["updateLamp", { watts: 3, dim: false, name: { $unique: "label" } }],
    ["getLamp", undefined],
    ["updateLamp", { $get: "once#/request/body" }],
    ["getLamp", undefined],
  ]);
});

test("a name is free once an update has changed it, and the object that had it cannot have it again", async () => {
  const former = { $get: "lamp#/name" };
  expect(await stepsOf(uniqueCases, "updateLamp/limits/lamp-name/released")).toMatchObject([
    own,
    { call: "updateLamp", path, body: { $merge: [{}, { name: { $unique: "label" } }] } },
    { call: "createLamp", body: { $merge: [{ name: { $unique: "label" } }, { name: former }] } },
    { call: "updateLamp", path, body: { $merge: [{}, { name: former }] }, expect: { status: 409 } },
  ]);
});

test("an action runs twice, and what it undoes is done and undone again", async () => {
  const off = { call: "turnOff", path };
  const lit = (value: unknown): object => ({
    call: "getLamp",
    path,
    expect: { body: { allOf: [{ properties: { lit: value }, required: ["lit"] }] } },
  });
  const prepared = { call: "turnOn", path };
  expect(await stepsOf(effectCases, "turnOff/second/at-once")).toMatchObject([
    own,
    prepared,
    { ...off, as: "answer" },
    { settle: true },
    { call: "getLamp", path, as: "once", setup: true },
    off,
    { settle: true },
    {
      call: "getLamp",
      path,
      expect: { body: { allOf: [{ properties: { lit: { const: { $get: "once#/body/lit" } } } }] } },
    },
  ]);
  expect(await stepsOf(effectCases, "turnOff/second/done-again")).toMatchObject([
    own,
    { ...prepared, setup: true },
    off,
    { settle: true },
    { ...prepared, setup: undefined },
    { settle: true },
    lit({ not: { const: false } }),
    off,
    { settle: true },
    lit({ const: false }),
  ]);
  expect(await stepsOf(effectCases, "turnOn/second/done-again")).toBeUndefined();
});

test("outcomes count until seconds before the end of the window, and again after it", async () => {
  const context = await contextFromText(lamps, settings);
  const cases = context.api.operations.flatMap((each) =>
    each.limits.flatMap((limit) => outcomeRateCases(context, each, limit)),
  );
  const call = { call: "sendCode", path, by: { user: "eve" }, isImmediate: true };
  const rejected = { ...call, expect: { status: 429 } };
  expect(cases).toMatchObject([
    {
      id: "lamps/sendCode/limits/codes/counts-again",
      windowSeconds: 5,
      steps: [
        { actor: { account: "own" }, as: "eve" },
        own,
        { repeat: [call], times: 3 },
        rejected,
        { advance: "PT594S" },
        rejected,
        { advance: "PT7S" },
        { repeat: [call], times: 3 },
        rejected,
      ],
    },
  ]);
});

test("an operation in a state that responses do not show is accepted until its time is over", async () => {
  const cases = stateCases(await contextFromText(lamps, settings));
  expect(cases.map(({ id, steps }) => [id, steps.slice(1)])).toMatchObject([
    ["lamps/pair/states/open/before/600", [{ advance: "PT594S" }, { call: "pair" }]],
    [
      "lamps/pair/states/open/after/600",
      [
        { advance: "PT594S" },
        { advance: "PT7S" },
        { call: "pair", expect: { status: 400 } },
        { advance: "PT600S" },
        { call: "pair", expect: { status: 400 } },
      ],
    ],
  ]);
});

test("a request that would have an error, but for one flag, is accepted", async () => {
  const steps = await stepsOf(errorCases, "updateLamp/errors/too-bright/passes/dim-false");
  expect(steps).toMatchObject([own, { call: "updateLamp", body: { $merge: [{}, { dim: false, watts: 7 }] } }]);
});
