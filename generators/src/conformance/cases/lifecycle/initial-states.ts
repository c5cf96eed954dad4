import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  type InitialState,
  type Operation,
  type StateMachine,
  schemaParts,
  findJsonContent,
  ownValue,
} from "@plumbline/kit/model";
import { createCase, nearestRequirements, type ConformanceContext } from "../../context/context.js";
import { initialCall, ownParameter, readObjectStep, expectState } from "../../requests/object-in-state.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";

/** Cases of initial states: the state after creation, and the state that follows by itself. */
export function initialStateCases(context: ConformanceContext, stateMachine: StateMachine): readonly Case[] {
  return stateMachine.initial.flatMap((initial) => {
    const about = { stateMachine, initial };
    return initialStateCase(context, about) ?? withinCase(context, about) ?? [];
  });
}

interface InitialStateContext {
  readonly stateMachine: StateMachine;
  readonly initial: InitialState;
}

function initialStateCase(context: ConformanceContext, about: InitialStateContext): Case | undefined {
  const { stateMachine, initial } = about;
  const beginning = initialCall(context, stateMachine, initial);
  if (beginning === undefined) return undefined;
  const { plan, root } = beginning;
  const initialRead = readObjectStep(
    context,
    { stateMachine, root, names: plan.names },
    expectState(context, stateMachine, initial.to),
  );
  const end = initial.then.at(-1);
  const ended =
    end && readObjectStep(context, { stateMachine, root, names: plan.names }, expectState(context, stateMachine, end));
  const field = stateMachine.field ?? "";
  const [, pointer = ""] = root.split("#/body");
  const answer: Template = within(pointer.split("/").slice(1), {
    required: [field],
    properties: { [field]: { const: ownValue(stateMachine.hidden, initial.to) ?? initial.to } },
  });
  return createCase(context, {
    ...describing(about, plan.operation),
    requires: plan.requires,
    exclusive: plan.exclusive || end !== undefined,
    steps: [
      ...plan.setupSteps,
      ...(end === undefined ? [] : [{ hold: true } as const]),
      { ...plan.call, as: "begun", expect: { body: answer } },
      ...(initialRead === undefined ? [] : [initialRead]),
      ...(ended === undefined || ended === "" ? [] : [{ hold: false } as const, { settle: true } as const, ended]),
    ],
  });
}

/** An object that is created within another, as nodes in a pool: the case reads the list in the other object. */
function withinCase(context: ConformanceContext, about: InitialStateContext): Case | undefined {
  const { stateMachine, initial } = about;
  const { event, to, then } = initial;
  const operation = event.kind === "operation" ? context.operations.get(event.operation) : undefined;
  const end = then.at(-1);
  if (operation === undefined || operation.path === "" || end === undefined) return undefined;
  const holder = holderOf(context, stateMachine.resource);
  if (holder === undefined) return undefined;
  const plan = planRequest(context, operation, { objects: "own" });
  const root = rootOf(context, operation, { plan, holder: holder.resource });
  if (root === undefined) return undefined;
  const field = stateMachine.field ?? "";
  const one = { required: [field], properties: { [field]: { const: to } } };
  const all = { items: { properties: { [field]: { const: end } } } };
  const reading = (list: Template): Step | undefined =>
    readObjectStep(
      context,
      { stateMachine: holder, root, names: plan.names },
      { status: 200, body: { properties: { [holder.field]: list } } },
    );
  const [begun, ended] = [reading({ contains: one }), reading(all)];
  if (begun === undefined || ended === undefined) return undefined;
  return createCase(context, {
    ...describing(about, operation),
    requires: plan.requires,
    exclusive: true,
    steps: [
      ...plan.setupSteps,
      { hold: true },
      { ...plan.call, as: "begun" },
      begun,
      { hold: false },
      { settle: true },
      ended,
    ],
  });
}

function describing(
  { stateMachine, initial }: InitialStateContext,
  operation: Operation,
): Pick<Parameters<typeof createCase>[1], "operation" | "kind" | "idParts" | "title" | "requirements"> {
  const { to, then, when } = initial;
  const end = then.at(-1);
  const others = stateMachine.initial.filter(
    ({ event }) => event.kind === "operation" && event.operation === operation.name,
  );
  const which = others.length > 1 ? [String(others.indexOf(initial) + 1)] : [];
  return {
    operation,
    kind: "states",
    idParts: ["states", "begins", stateMachine.resource, end === undefined ? to : `${to}-${end}`, ...which],
    title: `${stateMachine.resource} begins as ${to}${end === undefined ? "" : `, and then ${end}`}${when === undefined ? "" : ", if the request asks for it"}`,
    requirements: nearestRequirements(initial.sources, stateMachine.sources, operation.sources),
  };
}

/** The resource whose representation lists others. */
function holderOf(
  context: ConformanceContext,
  resource: string,
): { readonly resource: string; readonly field: string } | undefined {
  for (const { name, read } of context.api.resources) {
    const response = context.operations.get(read ?? "")?.responses.find(({ status }) => status === 200);
    const content = response === undefined ? undefined : findJsonContent(response.contents);
    const properties =
      content === undefined ? [] : schemaParts(context.api, content.schema).flatMap((part) => part.properties ?? []);
    const field = properties.find(({ schema }) =>
      schemaParts(context.api, schema).some(
        ({ items }) => items !== undefined && schemaParts(context.api, items).some(({ ref }) => ref === resource),
      ),
    );
    if (field !== undefined && name !== resource) return { resource: name, field: field.name };
  }
  return undefined;
}

/** Location of the holder's representation: in the response to its creation, or the object of the path. */
function rootOf(
  context: ConformanceContext,
  operation: Operation,
  { plan, holder }: { readonly plan: RequestPlan; readonly holder: string },
): string | undefined {
  const parameter = ownParameter(operation, holder);
  if (parameter !== undefined) return `${ownValue(plan.names, parameter) ?? ""}#`;
  const response = operation.responses.find(({ status }) => status === 200 || status === 201);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  const isHolder = content !== undefined && schemaParts(context.api, content.schema).some(({ ref }) => ref === holder);
  return isHolder ? "begun#/body" : undefined;
}

function within(pointer: readonly string[], schema: Template): Template {
  return pointer.reduceRight((inner: Template, name) => ({ required: [name], properties: { [name]: inner } }), schema);
}
