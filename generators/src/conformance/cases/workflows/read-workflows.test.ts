import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { diagnosticCodes } from "@plumbline/kit/openapi";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, onTestFinished, test } from "vitest";
import { housesDescription } from "../../context/fixture-context.support.js";
import { readWorkflows, type WorkflowSet } from "./read-workflows.js";

const whole = `arazzo: 1.0.1
info: {title: Houses, version: 1.0.0}
sourceDescriptions: [{name: api, url: ../openapi.yaml, type: openapi}]
workflows:
  - workflowId: open-house
    summary: A house is made
    x-operation: createHouse
    x-inputs: {name: {unique: label}}
    inputs: {type: object, properties: {token: {type: string}, name: {type: string}}}
    parameters: [{name: Authorization, in: header, value: 'Bearer {$inputs.token}'}]
    steps:
      - stepId: create
        operationId: createHouse
        requestBody: {payload: {name: $inputs.name}}
        successCriteria: [{condition: $statusCode == 201}]
        outputs: {id: $response.body#/id}
      - stepId: read
        operationId: getHouse
        parameters: [{name: houseId, in: path, value: $steps.create.outputs.id}]
        successCriteria: [{condition: $statusCode == 200}, {condition: $response.body#/id == $steps.create.outputs.id}]
`;

/** A description of houses, with an effect that has a proof. */
const proven = housesDescription.replace(
  "operationId: createHouse",
  "operationId: createHouse\n      x-effects: [{id: opens, verifiedBy: open-house}]",
);

async function storiesOf(files: Readonly<Record<string, string>>): Promise<WorkflowSet> {
  const folder = await mkdtemp(path.join(tmpdir(), "stories-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const api = await buildFixtureApi(proven);
  return readWorkflows({
    folder,
    description: path.join(path.dirname(folder), "openapi.yaml"),
    controlsDescription: undefined,
    api,
    controls: undefined,
    locate: (origin) => ({ ...origin, line: 1, column: 1 }),
  });
}

/** The diagnostics of a workflow file: line, code and message. */
async function diagnosticsOf(text: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const error = await storiesOf({ "houses.arazzo.yaml": text, ...more }).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticsError)) return [];
  return error.diagnostics.map(({ code, origin, message }) => `${origin.line} ${code}: ${message}`);
}

test("reads a workflow with its inputs, steps and criteria", async () => {
  const { workflows, scenarios } = await storiesOf({ "houses.arazzo.yaml": whole });
  expect(scenarios).toEqual({});
  expect(workflows).toMatchObject([
    {
      id: "open-house",
      operation: "createHouse",
      inputs: [
        { name: "token", caller: "main" },
        { name: "name", unique: "label" },
      ],
      steps: [
        { id: "create", status: 201, body: { fields: { name: { text: [{ root: "input", name: "name" }] } } } },
        { id: "read", status: 200, criteria: [{ pointer: ["id"], operator: "==" }] },
      ],
    },
  ]);
});

const scenario = "open-house: {operation: createHouse, title: A house is made}\n";

const broken: readonly (readonly [from: string, to: string, problem: string])[] = [
  ["arazzo: 1.0.1", "arazzo: 2.0.0", "1 workflow/schema: This is not an Arazzo 1.0 description."],
  [
    "workflowId: open-house",
    "workflowId: Open House",
    '5 workflow/schema: "Open House" is not a valid name of a workflow.',
  ],
  ["value: $steps.create.outputs.id", "valve: 1", "19 workflow/schema: This parameter has no value."],
  ["stepId: read", "stepId: create", '17 workflow/duplicate: "create" is the name of something else.'],
  [
    "x-operation: createHouse",
    "x-operation: buildHouse",
    '5 workflow/unknown: The workflow open-house says of no operation that it is about it: "buildHouse".',
  ],
  ["operationId: getHouse", "operationId: readHouse", '17 workflow/unknown: "readHouse" is not an operation.'],
  [
    "url: ../openapi.yaml",
    "url: other.yaml",
    '3 workflow/unknown: "other.yaml" is neither the description nor that of the test controls.',
  ],
  [
    "value: $steps.create.outputs.id",
    "value: $steps.create.outputs.ID",
    '19 workflow/unknown: No earlier step "create" has an output "ID".',
  ],
  ["{name: $inputs.name}", "{name: $inputs.nome}", '14 workflow/unknown: There is no input "nome".'],
  [
    "    summary:",
    "    x-source: [house.roof]\n    summary:",
    '6 workflow/unknown: There is no requirement "house.roof".',
  ],
  ["{name: {unique: label}}", "{name: {unique: song}}", '8 workflow/input: Nothing says what the input "name" is.'],
  [
    "{name: $inputs.name}",
    "{name: $inputs.name, key: $inputs.name}",
    '14 workflow/input: The input "name" is used twice.',
  ],
  [
    "{id: $response.body#/id}",
    "{id: $answer.id}",
    '16 workflow/expression: "$answer.id" is not a supported expression.',
  ],
  [
    "{name: $inputs.name}",
    "{name: $response.body#/id}",
    "14 workflow/expression: This is known only after the response of the step.",
  ],
  ["Bearer {", "Basic {", "12 workflow/expression: This Authorization holds no token."],
  ["[{condition: $statusCode == 201}]", "[]", "12 workflow/criterion: The step has no expected status."],
  ["$response.body#/id == $", "$url == $", "20 workflow/criterion: The condition is not about the response body."],
  [
    "workflowId: open-house",
    "workflowId: empty-house",
    '1 workflow/missing: There is no workflow and no scenario "open-house".',
  ],
  [
    "workflowId: open-house",
    "workflowId: empty-house",
    "1 workflow/no-assertions: No `verifiedBy` refers to the workflow empty-house, and it has no requirement.",
  ],
];

test.each(broken)("%s → %s", async (from, to, diagnostic) => {
  const text = whole.replace(from, to);
  expect(text).not.toBe(whole);
  expect(await diagnosticsOf(text)).toContain(diagnostic);
});

test("a name is unique among workflows and scenarios, and their operations exist", async () => {
  expect(await diagnosticsOf(whole)).toEqual([]);
  expect(await diagnosticsOf(whole, { "scenarios.yaml": scenario })).toEqual([
    "1 workflow/duplicate: Two workflows or scenarios have the name open-house.",
  ]);
  expect(await storiesOf({ "scenarios.yaml": scenario })).toEqual({
    workflows: [],
    scenarios: {
      "open-house": {
        operation: "createHouse",
        title: "A house is made",
        requirements: [],
        requires: [],
        exclusive: false,
      },
    },
  });
  const elsewhere = "open-house: {operation: none, title: x, requires: [luck]}\n";
  const error = await storiesOf({ "scenarios.yaml": elsewhere }).catch((thrown: unknown) => thrown);
  expect(error instanceof DiagnosticsError && error.diagnostics.map(({ message }) => message)).toEqual([
    'The scenario open-house has an unknown operation: "none".',
    '"luck" is not a valid value of `requires`.',
  ]);
});

test("every code of workflows occurs in a case", () => {
  const wanted = Object.keys(diagnosticCodes).filter((code) => code.startsWith("workflow/"));
  expect(wanted.filter((code) => !broken.some(([, , diagnostic]) => diagnostic.includes(code)))).toEqual([]);
});
