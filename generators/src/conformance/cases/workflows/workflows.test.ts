import type { Workflow, WorkflowStep } from "@plumbline/kit/model";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { conformanceContextOf } from "../../context/context.js";
import { housesDescription, artifactOptions } from "../../context/fixture-context.support.js";
import { emptySettings } from "../../context/settings.js";
import { workflowCases } from "./workflows.js";

const plain: Omit<WorkflowStep, "id" | "operation"> = {
  isControl: false,
  path: {},
  query: {},
  headers: {},
  status: 200,
  criteria: [],
  outputs: {},
  retriesUntilMet: false,
  requirements: [],
};

const story: Workflow = {
  id: "open-house",
  summary: "A house is made",
  operation: "createHouse",
  requirements: ["house.made"],
  inputs: [
    { name: "token", caller: "user" },
    { name: "name", unique: "label" },
  ],
  steps: [
    {
      ...plain,
      id: "create",
      operation: "createHouse",
      caller: { root: "input", name: "token" },
      body: { fields: { name: { text: [{ root: "input", name: "name" }] } } },
      status: 201,
      outputs: { id: { root: "response", part: "body", pointer: ["id"] } },
    },
    {
      ...plain,
      id: "read",
      operation: "getHouse",
      path: { houseId: { text: [{ root: "output", step: "create", name: "id", pointer: [] }] } },
      criteria: [
        { pointer: ["name"], operator: "!=", value: { literal: "x" } },
        { pointer: [], filter: { length: ["pets"], operator: "==", value: 0 } },
      ],
      retriesUntilMet: true,
      requirements: ["house.name"],
    },
    {
      ...plain,
      id: "again",
      operation: "listHouses",
      caller: { root: "output", step: "create", name: "id", pointer: [] },
    },
    { ...plain, id: "later", operation: "move", isControl: true, body: { fields: { by: { literal: "PT1H" } } } },
  ],
  exclusive: false,
  origin: { file: "houses.arazzo.yaml", pointer: "" },
};

test("a workflow becomes the steps of a case", async () => {
  const none = { requires: [], steps: [], outputs: null };
  const advance = { ...none, steps: [{ call: "controls:move" }] };
  const settings = { ...emptySettings, clock: { now: none, settle: none, hold: none, advance } };
  const options = {
    ...artifactOptions(),
    input: { settings, controls: undefined, workflows: [story], scenarios: {} },
  };
  expect(workflowCases(conformanceContextOf(await buildFixtureApi(housesDescription), options))).toEqual([
    {
      id: "houses/createHouse/workflows/open-house",
      kind: "workflows",
      operation: "createHouse",
      title: "A house is made",
      requirements: ["house.made", "house.name"],
      requires: ["users", "clock"],
      exclusive: true,
      steps: [
        { actor: { account: "own" }, as: "token" },
        {
          call: "createHouse",
          by: { user: "token" },
          body: { name: { $unique: "label" } },
          as: "create",
          expect: { status: 201 },
        },
        {
          call: "getHouse",
          path: { houseId: { $get: "create#/body/id" } },
          as: "read",
          expect: {
            status: 200,
            body: {
              allOf: [
                { type: "object", required: ["name"], properties: { name: { not: { const: "x" } } } },
                {
                  type: "object",
                  required: ["pets"],
                  properties: { pets: { type: "array", minItems: 0, maxItems: 0 } },
                },
              ],
            },
            requirements: ["house.name"],
          },
          until: true,
        },
        {
          call: "listHouses",
          by: { token: { $get: "create#/body/id" } },
          as: "again",
          expect: { status: 200 },
          setup: true,
        },
        { advance: "PT1H" },
      ],
    },
  ]);
});

test("a scenario becomes a case of one step", async () => {
  const scenario = {
    operation: "createHouse",
    title: "A house burns",
    requirements: ["house.fire"],
    requires: [],
    exclusive: true,
  } as const;
  const input = { settings: emptySettings, controls: undefined, workflows: [], scenarios: { fire: scenario } };
  const [only] = workflowCases(
    conformanceContextOf(await buildFixtureApi(housesDescription), { ...artifactOptions(), input }),
  );
  expect(only).toMatchObject({
    id: "houses/createHouse/scenarios/fire",
    kind: "scenarios",
    exclusive: true,
    steps: [{ code: "fire" }],
  });
});
