import type { CallStep, Caller, Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import type { RuntimeExpression, WorkflowInput, WorkflowValue, Workflow, WorkflowStep } from "@plumbline/kit/model";
import { createCase, type ConformanceContext } from "../../context/context.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { schemaOfCriterion } from "./criteria.js";

/** Cases of workflows and coded scenarios. */
export function workflowCases(context: ConformanceContext): readonly Case[] {
  const { workflows, scenarios } = context.options.input;
  const described = workflows.flatMap((workflow) => {
    const operation = context.operations.get(workflow.operation);
    if (operation === undefined) return [];
    return createCase(context, {
      operation,
      kind: "workflows",
      idParts: ["workflows", workflow.id],
      title: workflow.summary,
      requirements: [...workflow.requirements, ...workflow.steps.flatMap(({ requirements }) => requirements)],
      exclusive: workflow.exclusive,
      steps: [...actorsOf(workflow), ...workflow.steps.map((step) => stepOf(step, { workflow, context }))],
    });
  });
  const coded = Object.entries(scenarios).flatMap(([name, scenario]) => {
    const operation = context.operations.get(scenario.operation);
    if (operation === undefined) return [];
    const { title, requirements, requires, exclusive } = scenario;
    const steps = [{ code: name }];
    return createCase(context, {
      operation,
      kind: "scenarios",
      idParts: ["scenarios", name],
      title,
      requirements,
      requires,
      exclusive,
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

interface WorkflowContext {
  readonly workflow: Workflow;
  readonly context: ConformanceContext;
}

function stepOf(step: WorkflowStep, context: WorkflowContext): Step {
  return clockStepOf(step, context.context) ?? callOf(step, context);
}

/** Clock and jobs are steps of the runtime, so that it knows their state. */
function clockStepOf(step: WorkflowStep, { settings: { clock } }: ConformanceContext): Step | undefined {
  if (!step.isControl || clock === undefined) return undefined;
  const asks = (fixture: keyof typeof clock): boolean =>
    clock[fixture].steps.some((each) => "call" in each && each.call === `controls:${step.operation}`);
  const [given] = step.body !== undefined && "fields" in step.body ? Object.values(step.body.fields) : [];
  const value = given !== undefined && "literal" in given ? given.literal : undefined;
  if (asks("settle")) return { settle: true };
  if (asks("advance") && typeof value === "string") return { advance: value };
  if (asks("hold") && typeof value === "boolean") return { hold: value };
  return undefined;
}

function callOf(step: WorkflowStep, context: WorkflowContext): CallStep {
  const { id, operation, isControl, path, query, headers, body, retriesUntilMet } = step;
  const template = (value: WorkflowValue): Template => templateOf(value, context.workflow);
  const filled = (values: Readonly<Record<string, WorkflowValue>>): Record<string, Template> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, template(value)] as const));
  const by = isControl ? undefined : callerOf(step, context.workflow);
  return {
    call: isControl ? `controls:${operation}` : operation,
    by,
    ...(Object.keys(path).length === 0 ? {} : { path: filled(path) }),
    ...(Object.keys(query).length === 0 ? {} : { query: filled(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers: filled(headers) }),
    ...(body === undefined ? {} : { body: template(body) }),
    as: id,
    expect: expectOf(step, context.workflow),
    ...(retriesUntilMet ? { until: true as const } : {}),
    ...(isSetupStep(step, context.workflow) ? { setup: true as const } : {}),
  };
}

/** A step of another operation without own criteria is setup. */
function isSetupStep(step: WorkflowStep, { operation }: Workflow): boolean {
  const { status, criteria, requirements, retriesUntilMet } = step;
  const isAbout = !step.isControl && step.operation === operation;
  return !isAbout && !retriesUntilMet && requirements.length === 0 && criteria.length === 0 && status < 300;
}

function expectOf({ status, criteria, requirements }: WorkflowStep, workflow: Workflow): Expectation {
  const schemas = criteria.map((each) => schemaOfCriterion(each, (value) => templateOf(value, workflow)));
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
  if (input.caller === "main") return undefined;
  return input.caller === "user" ? { user: input.name } : "other-account";
}

function inputOf(name: string, { inputs }: Workflow): WorkflowInput | undefined {
  return inputs.find((each) => each.name === name);
}

function templateOf(value: WorkflowValue, workflow: Workflow): Template {
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
function referenceOf(reference: RuntimeExpression, workflow: Workflow): Template {
  if (reference.root === "input") {
    const input = inputOf(reference.name, workflow);
    if (input === undefined) return null;
    if ("unique" in input) return { $unique: input.unique };
    if ("time" in input) return { $time: input.time };
    return { $get: `${input.name}#/token` };
  }
  if (reference.root !== "output") return null;
  const output = workflow.steps.find(({ id }) => id === reference.step)?.outputs[reference.name];
  return { $get: `${reference.step}#${responsePointer(output)}${pointerOf(reference.pointer)}` };
}

/** Pointer to an output in the runtime's request and response data. */
function responsePointer(output: RuntimeExpression | undefined): string {
  if (output === undefined || output.root === "input" || output.root === "output") return "";
  if (output.root === "status") return "/status";
  const request = output.root === "request" ? "/request" : "";
  if (output.part === "body") return `${request}/body${pointerOf(output.pointer)}`;
  if (output.part === "header") return `/headers${pointerOf([output.name.toLowerCase()])}`;
  return `${request}/${output.part}${pointerOf([output.name])}`;
}

function pointerOf(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapePointerToken(token)}`).join("");
}
