import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { stateCases } from "./states.js";

const kettles = `openapi: 3.1.0
info: {title: Kettles, version: '1'}
paths:
  /kettles:
    post:
      operationId: createKettle
      tags: [kettles]
      requestBody: {content: {application/json: {schema: {type: object, properties: {hot: {type: boolean}}}, example: {hot: false}}}}
      responses: {'201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Kettle'}}}}}
  /kettles/{kettleId}:
    parameters: [&kettle {name: kettleId, in: path, required: true, schema: {type: integer}, x-reference: {to: Kettle}}]
    get:
      operationId: getKettle
      tags: [kettles]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Kettle'}}}}}
    delete: {operationId: deleteKettle, tags: [kettles], responses: {'204': {description: Gone.}}}
  /kettles/{kettleId}/boil:
    parameters: [*kettle]
    post:
      operationId: boilKettle
      tags: [kettles]
      x-errors: [{id: kettle-busy, status: 409, field: null, x-source: [kettle.busy]}]
      responses: {'200': {description: Boiling., content: {application/json: {schema: {$ref: '#/components/schemas/Kettle'}}}}}
components:
  schemas:
    Kettle:
      type: object
      x-resource: {owner: [account], read: getKettle, delete: deleteKettle}
      properties:
        id: {type: integer, readOnly: true}
        state:
          type: string
          readOnly: true
          enum: [cold, boiling, hot]
          x-state-machine:
            hidden: {broken: cold}
            initial:
              - {event: createKettle, when: {body: {properties: {hot: {const: true}}, required: [hot]}}, to: hot}
              - {event: createKettle, to: cold, x-source: [kettle.begins]}
            transitions:
              - {event: boilKettle, from: [cold], to: boiling, then: [hot], error: kettle-busy, x-source: [kettle.boils]}
              - {event: {after: PT5M}, from: [hot], to: cold}
`;

const broken = {
  requires: [],
  steps: [{ make: "Kettle", as: "kettle", fresh: true as const }],
  outputs: { $get: "kettle" },
};
const settings = { fixtures: { "Kettle@broken": broken, "Kettle@boiling": broken } };
const read = { call: "getKettle", path: { kettleId: { $get: "kettle#/id" } } };
const begun = { call: "getKettle", path: { kettleId: { $get: "begun#/body/id" } } };

function showing(state: string): object {
  return { status: 200, body: { required: ["state"], properties: { state: { const: state } } } };
}

test("every reachable state is tested with every operation", async () => {
  const cases = stateCases(await contextFromText(kettles, settings));
  expect(cases.map(({ id }) => id.replace("kettles/", ""))).toEqual([
    "boilKettle/states/cold/boiling",
    "boilKettle/states/boiling/rejected",
    "boilKettle/states/hot/rejected",
    "boilKettle/states/broken/rejected",
    "createKettle/states/begins/Kettle/hot/1",
    "createKettle/states/begins/Kettle/cold/2",
    "getKettle/states/broken/hidden",
    "getKettle/states/hot/after/300",
  ]);
});

test("an allowed transition is checked while its jobs run and when they are done", async () => {
  const [legal] = stateCases(await contextFromText(kettles, settings));
  expect(legal).toEqual({
    id: "kettles/boilKettle/states/cold/boiling",
    kind: "states",
    operation: "boilKettle",
    title: "Kettle that is cold becomes boiling, and then hot",
    requirements: ["kettle.boils"],
    requires: ["clock"],
    exclusive: true,
    steps: [
      { call: "createKettle", body: { $merge: [{ hot: false }, { hot: false }] }, as: "begun", setup: true },
      { hold: true },
      { call: "boilKettle", path: { kettleId: { $get: "begun#/body/id" } } },
      { ...begun, expect: showing("boiling") },
      { hold: false },
      { settle: true },
      { ...begun, expect: showing("hot") },
    ],
  });
});

test("a rejected transition keeps the state, and a hidden state is shown as another", async () => {
  const cases = stateCases(await contextFromText(kettles, settings));
  expect(cases.find(({ id }) => id.endsWith("states/broken/rejected"))).toMatchObject({
    requirements: ["kettle.busy", "kettle.boils"],
    steps: [
      { make: "Kettle@broken", as: "kettle", fresh: true },
      { call: "boilKettle", expect: { status: 409, error: { field: null } } },
      { ...read, expect: showing("cold") },
    ],
  });
});

test("time triggers its transition, and not earlier", async () => {
  const cases = stateCases(await contextFromText(kettles, settings));
  expect(cases.at(-1)?.steps.slice(1)).toEqual([
    { advance: "PT295S" },
    { ...begun, expect: showing("hot") },
    { advance: "PT6S" },
    { ...begun, expect: showing("cold") },
    { advance: "PT300S" },
    { ...begun, expect: showing("cold") },
  ]);
});

test("a platform trigger has no effect from a state that is shown like its source state", async () => {
  const warmed = kettles.replace(
    "- {event: {after: PT5M}",
    "- {event: {platform: warm}, from: [broken], to: hot, x-source: [kettle.warms]}\n              - {event: {after: PT5M}",
  );
  const fixtures = { ...settings.fixtures, "Kettle@cold": broken, "Kettle!warm": broken };
  const cases = stateCases(await contextFromText(warmed, { fixtures }));
  expect(cases.find(({ id }) => id.endsWith("platform/warm/not-from/cold"))).toMatchObject({
    requirements: ["kettle.warms"],
    steps: [
      { make: "Kettle@cold", as: "kettle", fresh: true },
      { make: "Kettle!warm", of: { Kettle: { $get: "kettle" } } },
      { settle: true },
      { ...read, expect: showing("cold") },
    ],
  });
  expect(cases.filter(({ id }) => id.includes("not-from"))).toHaveLength(1);
});

test("what a trigger of the platform sets is read after its fixture, for a start and for a transition", async () => {
  const text = kettles
    .replace(
      "            transitions:\n",
      "              - {event: {platform: found}, to: cold, sets: {color: red}}\n$&",
    )
    .replace(
      "              - {event: {after: PT5M}",
      "              - {event: {platform: scale}, from: [cold], to: hot, sets: {color: grey}}\n$&",
    )
    .replace("        id: {type: integer, readOnly: true}\n", "$&        color: {type: string}\n");
  const fixtures = { ...settings.fixtures, "Kettle!found": broken, "Kettle!scale": broken };
  const cases = stateCases(await contextFromText(text, { fixtures }));
  const painted = (color: string): object => ({
    call: "getKettle",
    path: { kettleId: { $get: "happened#/id" } },
    expect: { status: 200, body: { allOf: [{ properties: { color: { const: color } }, required: ["color"] }] } },
  });
  const steps = (trigger: string): unknown => cases.find(({ id }) => id.endsWith(`platform/${trigger}/sets`))?.steps;
  expect(steps("found")).toEqual([{ make: "Kettle!found", as: "happened", fresh: true }, painted("red")]);
  expect(steps("scale")).toEqual([
    { make: "Kettle", as: "kettle", fresh: true },
    { settle: true },
    { make: "Kettle!scale", as: "happened", of: { Kettle: { $get: "kettle" } }, fresh: true },
    painted("grey"),
  ]);
  expect(stateCases(await contextFromText(text, settings)).filter(({ id }) => id.endsWith("/sets"))).toEqual([]);
});
