import type { CallStep, Caller, Case, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Reference } from "../model/runtime-expressions.js";
import type { Input, Value, Workflow, WorkflowStep } from "../model/workflow.js";
import { caseOf, type Context } from "./context.js";
import { schemaOf } from "./criteria.js";

/** Cases of workflows and coded scenarios. */
export function workflowCases(context: Context): readonly Case[] {
  const { workflows = [], scenarios = {} } = context.options.conformance ?? {};
  const described = workflows.flatMap((workflow) => {
    const operation = context.operations.get(workflow.operation);
    if (operation === undefined) return [];
    return caseOf(context, {
      operation,
      kind: "workflows",
      about: ["workflows", workflow.id],
      title: workflow.summary,
      requirements: [...workflow.requirements, ...workflow.steps.flatMap(({ requirements }) => requirements)],
      alone: workflow.alone,
      steps: [...actorsOf(workflow), ...workflow.steps.map((step) => stepOf(step, { workflow, context }))],
    });
  });
  const coded = Object.entries(scenarios).flatMap(([name, scenario]) => {
    const operation = context.operations.get(scenario.operation);
    if (operation === undefined) return [];
    const { title, requirements, needs, alone } = scenario;
    const steps = [{ code: name }];
    return caseOf(context, {
      operation,
      kind: "scenarios",
      about: ["scenarios", name],
      title,
      requirements,
      needs,
      alone,
      steps,
    });
  });
  return [...described, ...coded];
}

/** The steps that create users come first. */
function actorsOf({ inputs }: Workflow): readonly Step[] {
  return inputs.flatMap((input): Step[] =>
    "caller" in input && input.caller === "user" ? [{ actor: { account: "own" }, as: input.name }] : [],
  );
}

interface Around {
  readonly workflow: Workflow;
  readonly context: Context;
}

function stepOf(step: WorkflowStep, around: Around): Step {
  return clockStepOf(step, around.context) ?? callOf(step, around);
}

/** Clock and jobs are steps of the runtime, so that it knows their state. */
function clockStepOf(step: WorkflowStep, { settings: { clock } }: Context): Step | undefined {
  if (!step.isControl || clock === undefined) return undefined;
  const asks = (recipe: keyof typeof clock): boolean =>
    clock[recipe].steps.some((each) => "call" in each && each.call === `controls:${step.operation}`);
  const [given] = step.body !== undefined && "fields" in step.body ? Object.values(step.body.fields) : [];
  const value = given !== undefined && "literal" in given ? given.literal : undefined;
  if (asks("settle")) return { settle: true };
  if (asks("advance") && typeof value === "string") return { advance: value };
  if (asks("hold") && typeof value === "boolean") return { hold: value };
  return undefined;
}

function callOf(step: WorkflowStep, around: Around): CallStep {
  const { id, operation, isControl, path, query, headers, body, waits } = step;
  const template = (value: Value): Template => templateOf(value, around.workflow);
  const filled = (values: Readonly<Record<string, Value>>): Record<string, Template> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, template(value)] as const));
  const by = isControl ? undefined : callerOf(step, around.workflow);
  return {
    call: isControl ? `controls:${operation}` : operation,
    ...(by === undefined ? {} : { by }),
    ...(Object.keys(path).length === 0 ? {} : { path: filled(path) }),
    ...(Object.keys(query).length === 0 ? {} : { query: filled(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers: filled(headers) }),
    ...(body === undefined ? {} : { body: template(body) }),
    as: id,
    expect: expectOf(step, around.workflow),
    ...(waits ? { until: true as const } : {}),
    ...(prepares(step, around.workflow) ? { given: true as const } : {}),
  };
}

/** A step of another operation without own criteria is setup. */
function prepares(step: WorkflowStep, { operation }: Workflow): boolean {
  const { status, criteria, requirements, waits } = step;
  const isAbout = !step.isControl && step.operation === operation;
  return !isAbout && !waits && requirements.length === 0 && criteria.length === 0 && status < 300;
}

function expectOf({ status, criteria, requirements }: WorkflowStep, workflow: Workflow): Expect {
  const schemas = criteria.map((each) => schemaOf(each, (value) => templateOf(value, workflow)));
  const [only] = schemas;
  return {
    status,
    ...(only === undefined ? {} : { body: schemas.length === 1 ? only : { allOf: schemas } }),
    ...(requirements.length === 0 ? {} : { requirements }),
  };
}

function callerOf({ caller }: WorkflowStep, workflow: Workflow): Caller | undefined {
  if (caller === undefined) return undefined;
  const input = caller.root === "input" ? inputOf(caller.name, workflow) : undefined;
  if (input === undefined || !("caller" in input)) return { token: referenceOf(caller, workflow) };
  const callers = { main: undefined, stranger: "stranger", user: { user: input.name } } satisfies Record<
    string,
    Caller | undefined
  >;
  return callers[input.caller];
}

function inputOf(name: string, { inputs }: Workflow): Input | undefined {
  return inputs.find((each) => each.name === name);
}

function templateOf(value: Value, workflow: Workflow): Template {
  if ("literal" in value) return value.literal;
  if ("items" in value) return value.items.map((each) => templateOf(each, workflow));
  if ("fields" in value) {
    const fields = Object.entries(value.fields).map(([name, each]) => [name, templateOf(each, workflow)] as const);
    return Object.fromEntries(fields);
  }
  const parts = value.text.map((each) => (typeof each === "string" ? each : referenceOf(each, workflow)));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { $text: parts };
}

/** The template for a runtime expression. */
function referenceOf(reference: Reference, workflow: Workflow): Template {
  if (reference.root === "input") {
    const input = inputOf(reference.name, workflow);
    if (input === undefined) return null;
    if ("unique" in input) return { $unique: input.unique };
    if ("time" in input) return { $time: input.time };
    return { $get: `${input.name}#/token` };
  }
  if (reference.root !== "output") return null;
  const output = workflow.steps.find(({ id }) => id === reference.step)?.outputs[reference.name];
  return { $get: `${reference.step}#${answerPointer(output)}${pointerOf(reference.pointer)}` };
}

/** Pointer to an output in the runtime's request and response data. */
function answerPointer(output: Reference | undefined): string {
  if (output === undefined || output.root === "input" || output.root === "output") return "";
  if (output.root === "status") return "/status";
  const request = output.root === "request" ? "/request" : "";
  if (output.part === "body") return `${request}/body${pointerOf(output.pointer)}`;
  if (output.part === "header") return `/headers${pointerOf([output.name.toLowerCase()])}`;
  return `${request}/${output.part}${pointerOf([output.name])}`;
}

function pointerOf(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
