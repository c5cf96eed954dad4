import {
  isJsonObject,
  type Json,
  parseFilterExpression,
  parseRuntimeExpression,
  parseTemplate,
  type RuntimeExpression,
  type WorkflowCriterion,
  type WorkflowInput,
  type CriterionOperator,
  type WorkflowValue,
  type WorkflowStep,
} from "../../../model/index.js";
import type { SpecNode } from "../../read/spec-node.js";
import { readWorkflowRequirements, type WorkflowNames } from "./workflow-names.js";

export interface WorkflowStepContext {
  readonly root: SpecNode;
  readonly inputs: readonly WorkflowInput[];
  readonly sources: WorkflowNames["descriptions"];
  readonly requirements: ReadonlySet<string>;
}

/** The names that a step may refer to. */
interface KnownNames extends WorkflowStepContext {
  readonly steps: ReadonlyMap<string, Readonly<Record<string, RuntimeExpression>>>;
  /** Inputs that earlier steps have used. */
  readonly used: Set<string>;
}

/** Reads the steps of a workflow, in order. Each may refer to outputs of earlier steps. */
export function readWorkflowSteps(workflow: SpecNode, context: WorkflowStepContext): readonly WorkflowStep[] {
  const places = workflow.get("steps")?.items() ?? [];
  if (places.length === 0) workflow.report("workflow/schema", "This workflow has no steps.", "Write steps: […].");
  const steps = new Map<string, Readonly<Record<string, RuntimeExpression>>>();
  const used = new Set<string>();
  const all = workflow.get("parameters")?.items() ?? [];
  return places.map((place) => {
    const step = readWorkflowStep(place, all, { ...context, steps, used });
    const isTaken = steps.has(step.id) || context.inputs.some(({ name }) => name === step.id);
    if (isTaken)
      place.report("workflow/duplicate", `"${step.id}" is the name of something else.`, "Give the step another name.");
    steps.set(step.id, step.outputs);
    return step;
  });
}

function readWorkflowStep(place: SpecNode, shared: readonly SpecNode[], known: KnownNames): WorkflowStep {
  const { operation, isControl } = readStepOperation(place, known);
  const parameters = [...shared, ...(place.get("parameters")?.items() ?? [])].map((each) =>
    readStepParameter(each, known),
  );
  const valuesIn = (where: string): Record<string, WorkflowValue> =>
    Object.fromEntries(parameters.filter((each) => each.in === where).map(({ name, value }) => [name, value] as const));
  const { Authorization: authorization, ...headers } = valuesIn("header");
  const payload = place.get("requestBody")?.child("payload");
  const criteria = readCriteria(place, known);
  const caller = isControl ? undefined : readStepCaller(place, authorization);
  return {
    id: place.text("stepId") ?? "",
    operation,
    isControl,
    ...(caller === undefined ? {} : { caller }),
    path: valuesIn("path"),
    query: valuesIn("query"),
    headers,
    ...(payload === undefined ? {} : { body: readStepValue(payload, payload.raw, known) }),
    ...criteria,
    outputs: readStepOutputs(place),
    retriesUntilMet: (place.get("onFailure")?.items() ?? []).some((each) => each.text("type") === "retry"),
    requirements: readWorkflowRequirements(place, known.requirements),
  };
}

/** Resolves `$sourceDescriptions.NAME.ID`, or a plain operationId if there is one description. */
function readStepOperation(
  place: SpecNode,
  { sources }: KnownNames,
): { readonly operation: string; readonly isControl: boolean } {
  const text = place.text("operationId") ?? "";
  const [, from, id = text] = /^\$sourceDescriptions\.([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  const source = from === undefined ? [...sources.values()][0] : sources.get(from);
  if (source?.operations.has(id) === true && (from !== undefined || sources.size === 1))
    return { operation: id, isControl: source.isControl };
  place.report(
    "workflow/unknown",
    `"${text}" is not an operation.`,
    sources.size === 1
      ? "Write an operationId of the description."
      : `Write $sourceDescriptions.NAME.OPERATION; the names here: ${[...sources.keys()].join(", ")}.`,
  );
  return { operation: id, isControl: false };
}

function readStepParameter(
  place: SpecNode,
  known: KnownNames,
): { readonly name: string; readonly in: string; readonly value: WorkflowValue } {
  const reference = /^\$components\.parameters\.([\w-]+)$/.exec(place.text("reference") ?? "")?.[1];
  const target = reference === undefined ? place : known.root.get("components")?.get("parameters")?.get(reference);
  const value = target?.child("value");
  if (target === undefined || value === undefined) {
    place.report("workflow/schema", "This parameter has no value.", "Write name, in and value, or a reference.");
    return { name: "", in: "", value: { literal: null } };
  }
  return {
    name: target.text("name") ?? "",
    in: target.text("in") ?? "",
    value: readStepValue(value, value.raw, known),
  };
}

/** Returns the token in an Authorization header. */
function readStepCaller(place: SpecNode, authorization: WorkflowValue | undefined): RuntimeExpression | undefined {
  if (authorization === undefined) return undefined;
  const [scheme, token] = "text" in authorization ? authorization.text : [];
  if (scheme === "Bearer " && typeof token === "object") return token;
  place.report("workflow/expression", "This Authorization holds no token.", "Write Bearer {$inputs.token}.");
  return undefined;
}

function readStepValue(place: SpecNode, raw: unknown, known: KnownNames): WorkflowValue {
  if (typeof raw === "string") {
    const text = parseTemplate(raw, (part) => reportInvalidExpression(place, part));
    for (const each of text) if (typeof each !== "string") checkReference(place, each, known);
    return text.some((each) => typeof each !== "string") ? { text } : { literal: raw };
  }
  if (Array.isArray(raw)) return { items: raw.map((each) => readStepValue(place, each, known)) };
  if (!isJsonObject(raw)) return { literal: raw as Json };
  const fields = Object.entries(raw).map(([name, each]) => [name, readStepValue(place, each, known)] as const);
  return { fields: Object.fromEntries(fields) };
}

/** Reports a reference that is neither an input nor an output of an earlier step. An input with a unique value may be used only once. */
function checkReference(place: SpecNode, reference: RuntimeExpression, { inputs, steps, used }: KnownNames): void {
  if (reference.root === "input") {
    const input = inputs.find(({ name }) => name === reference.name);
    if (input === undefined)
      place.report("workflow/unknown", `There is no input "${reference.name}".`, "Add it to the inputs.");
    else if ("unique" in input && used.has(input.name))
      place.report(
        "workflow/input",
        `The input "${input.name}" is used twice.`,
        "It is new in every use: take it from the outputs of the step that used it first.",
      );
    used.add(reference.name);
    return;
  }
  if (reference.root !== "output")
    return place.report(
      "workflow/expression",
      "This is known only after the response of the step.",
      "Name an input, or an output of an earlier step.",
    );
  if (steps.get(reference.step)?.[reference.name] === undefined)
    place.report(
      "workflow/unknown",
      `No earlier step "${reference.step}" has an output "${reference.name}".`,
      "Name an output of an earlier step.",
    );
}

function readStepOutputs(place: SpecNode): Readonly<Record<string, RuntimeExpression>> {
  const entries = (place.get("outputs")?.entries() ?? []).flatMap(([name, each]) => {
    const reference = parseRuntimeExpression(String(each.raw));
    if (reference !== undefined && reference.root !== "input" && reference.root !== "output")
      return [[name, reference] as const];
    reportInvalidExpression(each, String(each.raw));
    return [];
  });
  return Object.fromEntries(entries);
}

function readCriteria(
  place: SpecNode,
  known: KnownNames,
): { readonly status: number; readonly criteria: readonly WorkflowCriterion[] } {
  let status: number | undefined;
  const criteria = (place.get("successCriteria")?.items() ?? []).flatMap((each): readonly WorkflowCriterion[] => {
    const condition = each.text("condition") ?? "";
    const expected = /^\$statusCode == (\d{3})$/.exec(condition)?.[1];
    if (expected !== undefined) status = Number(expected);
    return expected === undefined ? readCriterion(each, condition, known) : [];
  });
  if (status === undefined)
    place.report(
      "workflow/criterion",
      "The step has no expected status.",
      "Add successCriteria: [{condition: $statusCode == 200}].",
    );
  return { status: status ?? 200, criteria };
}

function readCriterion(place: SpecNode, condition: string, known: KnownNames): readonly WorkflowCriterion[] {
  const type = place.text("type") ?? "simple";
  const [, left = "", operator, right = ""] = /^(\S+) (==|!=|<=|>=|<|>) (.+)$/.exec(condition) ?? [];
  const pointer = bodyPointer(type === "simple" ? left : (place.text("context") ?? ""));
  const fix =
    "Compare $response.body#/… with a value, or give a regex or a JSONPath filter with $response.body as context.";
  if (pointer === undefined || (type === "simple" && operator === undefined)) {
    place.report("workflow/criterion", "The condition is not about the response body.", fix);
    return [];
  }
  if (type === "regex") return [{ pointer, pattern: condition }];
  if (type === "simple")
    return [{ pointer, operator: operator as CriterionOperator, value: readRightOperand(place, right, known) }];
  const filter = parseFilterExpression(condition);
  if (!("reason" in filter)) {
    for (const each of referencesIn(filter)) checkReference(place, each, known);
    return [{ pointer, filter }];
  }
  place.report("workflow/criterion", filter.reason, "Write a JSONPath filter, such as $[?@.data[?@.id == 7]].");
  return [];
}

function bodyPointer(text: string): readonly string[] | undefined {
  const reference = parseRuntimeExpression(text);
  return reference?.root === "response" && reference.part === "body" ? reference.pointer : undefined;
}

function readRightOperand(place: SpecNode, text: string, known: KnownNames): WorkflowValue {
  if (text.startsWith("$")) return readStepValue(place, text, known);
  const quoted = /^'(.*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return { literal: quoted };
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(text)) return { literal: JSON.parse(text) as Json };
  place.report("workflow/expression", `"${text}" is not a value.`, "Write a number, true, false, null or 'text'.");
  return { literal: null };
}

/** Returns every reference in a filter, at any depth. */
function referencesIn(filter: unknown): readonly RuntimeExpression[] {
  if (Array.isArray(filter)) return filter.flatMap(referencesIn);
  if (!isJsonObject(filter)) return [];
  const references = isReference(filter["reference"]) ? [filter["reference"]] : [];
  return [...references, ...Object.values(filter).flatMap(referencesIn)];
}

function isReference(value: unknown): value is RuntimeExpression {
  return isJsonObject(value) && typeof value["root"] === "string";
}

function reportInvalidExpression(place: SpecNode, text: string): void {
  place.report(
    "workflow/expression",
    `"${text}" is not a supported expression.`,
    "Write $inputs.NAME, $steps.STEP.outputs.NAME, $response.body#/… or $request.body#/….",
  );
}
