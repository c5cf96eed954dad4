import type { Case } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { authenticationCases } from "../cases/access/authentication.js";
import { stateCases } from "../cases/lifecycle/states.js";
import { baselineCases } from "../cases/operations.js";
import { contextFromText } from "../context/fixture-context.support.js";
import type { ConformanceSettings } from "../context/settings.js";
import { fixturesOf } from "./fixtures.js";

const tasks = `openapi: 3.1.0
info: {title: Tasks, version: '1'}
paths:
  /tasks:
    post:
      operationId: createTask
      tags: [board]
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}}
  /tasks/{taskId}:
    parameters: [&task {name: taskId, in: path, required: true, schema: {type: integer}, x-reference: {to: Task}}]
    get: {operationId: getTask, tags: [board], responses: &one {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '409': {description: Wrong state.}}}
  /tasks/{taskId}/start:
    parameters: [*task]
    post: {operationId: startTask, tags: [board], responses: *one, x-errors: [{id: not-open, status: 409, field: null}]}
  /tasks/{taskId}/finish:
    parameters: [*task]
    post:
      operationId: finishTask
      tags: [board]
      security: [{bearer: []}]
      responses: {<<: *one, '401': {description: Who?}}
      x-errors: [{id: not-in-progress, status: 409, field: null}]
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Task:
      type: object
      required: [id, state]
      x-resource: {owner: [platform], read: getTask}
      properties:
        id: {type: integer}
        state:
          type: string
          enum: [open, in_progress, done]
          x-state-machine:
            initial: [{event: createTask, to: open}]
            transitions:
              - {event: startTask, from: [open], to: in_progress, error: not-open}
              - {event: finishTask, from: [in_progress], to: done, error: not-in-progress}
`;

const made = {
  requires: [],
  steps: [{ call: "createTask", body: { title: "x" }, as: "made" }],
  outputs: { $get: "made#/body" },
};
const started = { ...made, steps: [...made.steps, { call: "startTask", path: { taskId: { $get: "made#/body/id" } } }] };

async function cases(settings: Partial<ConformanceSettings>) {
  const context = await contextFromText(tasks, settings);
  const all = [...stateCases(context), ...baselineCases(context), ...authenticationCases(context)];
  const stepsOf = (id: string): Case["steps"] | undefined => all.find((each) => each.id === `board/${id}`)?.steps;
  return { stepsOf, ids: all.map(({ id }) => id), fixtures: fixturesOf(context) };
}

test("the fixture of a state begins with the object of the settings' fixture", async () => {
  const { stepsOf, fixtures } = await cases({ fixtures: { Task: made } });
  expect(stepsOf("finishTask/accepts")?.[0]).toEqual({ make: "Task@in_progress", as: "task", fresh: true });
  expect(stepsOf("finishTask/security/anonymous")?.[0]).toEqual({ make: "Task@in_progress", as: "task" });
  expect(stepsOf("startTask/accepts")?.[0]).toEqual({ make: "Task", as: "task", fresh: true });
  expect(stepsOf("finishTask/states/done/rejected")?.[0]).toEqual({ make: "Task@done", as: "task", fresh: true });
  expect(fixtures["Task@in_progress"]?.steps).toEqual([
    { make: "Task", as: "begun", with: { $get: "of#/with" }, fresh: true },
    { call: "startTask", path: { taskId: { $get: "begun#/id" } }, as: "moved0", setup: true },
    {
      call: "getTask",
      path: { taskId: { $get: "begun#/id" } },
      as: "read",
      setup: true,
      expect: { status: 200, body: { required: ["state"], properties: { state: { const: "in_progress" } } } },
    },
  ]);
});

test("the state of the settings' object follows from the calls of its fixture", async () => {
  const { stepsOf } = await cases({ fixtures: { Task: started } });
  expect(stepsOf("finishTask/accepts")?.[0]).toEqual({ make: "Task", as: "task", fresh: true });
  expect(stepsOf("finishTask/states/open/rejected")?.[0]).toMatchObject({ call: "createTask" });
});

test("a conflict that is documented without a body is tested by its status", async () => {
  const { stepsOf } = await cases({});
  expect(stepsOf("finishTask/states/done/rejected")?.at(-2)).toMatchObject({
    call: "finishTask",
    expect: { status: 409 },
  });
  expect(JSON.stringify(stepsOf("finishTask/states/done/rejected"))).not.toContain('"error"');
});

test("setup steps that the path uses come before requests without credentials", async () => {
  const before = [
    { make: "Task@in_progress", as: "ready" },
    { call: "getTask", path: { taskId: { $get: "ready#/id" } } },
  ];
  const path = { taskId: { $get: "ready#/id" } };
  const { stepsOf } = await cases({ operations: { finishTask: { before, path } } });
  const steps = stepsOf("finishTask/security/anonymous");
  expect(steps?.slice(-3)).toEqual([
    before[0],
    { ...before[1], setup: true },
    { call: "finishTask", path, by: "anonymous", expect: { status: [401, 403] } },
  ]);
  expect(stepsOf("finishTask/accepts")?.at(-3)).toEqual({ ...before[0], fresh: true });
  const unused = await cases({ operations: { finishTask: { before } } });
  expect(JSON.stringify(unused.stepsOf("finishTask/security/anonymous"))).not.toContain("ready");
});
