import { expect, test } from "vitest";
import { apiOf } from "../model/testing.support.js";
import type { Workflow, WorkflowStep } from "../model/workflow.js";
import { contextOf } from "./context.js";
import { noSettings } from "./settings.js";
import { houses, optionsFor } from "./testing.support.js";
import { workflowCases } from "./workflows.js";

const plain: Omit<WorkflowStep, "id" | "operation"> = {
  isControl: false,
  path: {},
  query: {},
  headers: {},
  status: 200,
  criteria: [],
  outputs: {},
  waits: false,
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
      waits: true,
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
  alone: false,
  origin: { file: "houses.arazzo.yaml", pointer: "" },
};

test("a workflow becomes the steps of a case", async () => {
  const none = { needs: [], steps: [], gives: null };
  const advance = { ...none, steps: [{ call: "controls:move" }] };
  const settings = { ...noSettings, clock: { now: none, settle: none, hold: none, advance } };
  const options = {
    ...optionsFor(),
    conformance: { settings, controls: undefined, workflows: [story], scenarios: {} },
  };
  expect(workflowCases(contextOf(await apiOf(houses), options))).toEqual([
    {
      id: "houses/createHouse/workflows/open-house",
      kind: "workflows",
      operation: "createHouse",
      title: "A house is made",
      requirements: ["house.made", "house.name"],
      needs: ["users", "clock"],
      alone: true,
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
          given: true,
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
    needs: [],
    alone: true,
  } as const;
  const conformance = { settings: noSettings, controls: undefined, workflows: [], scenarios: { fire: scenario } };
  const [only] = workflowCases(contextOf(await apiOf(houses), { ...optionsFor(), conformance }));
  expect(only).toMatchObject({
    id: "houses/createHouse/scenarios/fire",
    kind: "scenarios",
    alone: true,
    steps: [{ code: "fire" }],
  });
});
