import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { InitialState, Operation, StateMachine } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, nearestRequirements, type Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { beginningOf, ownParameter, readingOf, showing } from "./standing.js";

/** Cases of initial states: the state after creation, and the state that follows by itself. */
export function beginningCases(context: Context, machine: StateMachine): readonly Case[] {
  return machine.initial.flatMap((initial) => {
    const made = beginningCase(context, { machine, initial });
    return made ?? withinCase(context, { machine, initial }) ?? [];
  });
}

interface About {
  readonly machine: StateMachine;
  readonly initial: InitialState;
}

function beginningCase(context: Context, about: About): Case | undefined {
  const { machine, initial } = about;
  const beginning = beginningOf(context, machine, initial);
  if (beginning === undefined) return undefined;
  const { plan, root } = beginning;
  const shown = readingOf(context, { machine, root, names: plan.names }, showing(context, machine, initial.to));
  const end = initial.then.at(-1);
  const ended = end && readingOf(context, { machine, root, names: plan.names }, showing(context, machine, end));
  const field = machine.field ?? "";
  const [, pointer = ""] = root.split("#/body");
  const answer: Template = within(pointer.split("/").slice(1), {
    required: [field],
    properties: { [field]: { const: machine.hidden[initial.to] ?? initial.to } },
  });
  return caseOf(context, {
    ...describing(about, plan.operation),
    needs: plan.needs,
    alone: plan.alone || end !== undefined,
    steps: [
      ...plan.before,
      ...(end === undefined ? [] : [{ hold: true } as const]),
      { ...plan.call, as: "begun", expect: { body: answer } },
      ...(shown === undefined ? [] : [shown]),
      ...(ended === undefined || ended === "" ? [] : [{ hold: false } as const, { settle: true } as const, ended]),
    ],
  });
}

/** An object that is created within another, as nodes in a pool: the case reads the list in the other object. */
function withinCase(context: Context, about: About): Case | undefined {
  const { machine, initial } = about;
  const { by, to, then } = initial;
  const operation = by.kind === "operation" ? context.operations.get(by.operation) : undefined;
  const end = then.at(-1);
  if (operation === undefined || operation.path === "" || end === undefined) return undefined;
  const holder = holderOf(context, machine.resource);
  if (holder === undefined) return undefined;
  const plan = planOf(context, operation, { objects: "own" });
  const root = rootOf(context, operation, { plan, holder: holder.resource });
  if (root === undefined) return undefined;
  const field = machine.field ?? "";
  const one = { required: [field], properties: { [field]: { const: to } } };
  const all = { items: { properties: { [field]: { const: end } } } };
  const reading = (list: Template): Step | undefined =>
    readingOf(
      context,
      { machine: holder, root, names: plan.names },
      { status: 200, body: { properties: { [holder.field]: list } } },
    );
  const [begun, ended] = [reading({ contains: one }), reading(all)];
  if (begun === undefined || ended === undefined) return undefined;
  return caseOf(context, {
    ...describing(about, operation),
    needs: plan.needs,
    alone: true,
    steps: [
      ...plan.before,
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
  { machine, initial }: About,
  operation: Operation,
): Pick<Parameters<typeof caseOf>[1], "operation" | "kind" | "about" | "title" | "requirements"> {
  const { to, then, when } = initial;
  const end = then.at(-1);
  const others = machine.initial.filter(({ by }) => by.kind === "operation" && by.operation === operation.name);
  const which = others.length > 1 ? [String(others.indexOf(initial) + 1)] : [];
  return {
    operation,
    kind: "states",
    about: ["states", "begins", machine.resource, end === undefined ? to : `${to}-${end}`, ...which],
    title: `${machine.resource} begins as ${to}${end === undefined ? "" : `, and then ${end}`}${when === undefined ? "" : ", if the request asks for it"}`,
    requirements: nearestRequirements(initial.sources, machine.sources, operation.sources),
  };
}

/** The resource whose representation lists others. */
function holderOf(
  context: Context,
  resource: string,
): { readonly resource: string; readonly field: string } | undefined {
  for (const { name, read } of context.api.resources) {
    const reply = context.operations.get(read ?? "")?.replies.find(({ status }) => status === 200);
    const content = reply === undefined ? undefined : jsonContent(reply.contents);
    const properties =
      content === undefined ? [] : partsOf(context.api, content.shape).flatMap((part) => part.properties ?? []);
    const field = properties.find(({ shape }) =>
      partsOf(context.api, shape).some(
        ({ items }) => items !== undefined && partsOf(context.api, items).some(({ ref }) => ref === resource),
      ),
    );
    if (field !== undefined && name !== resource) return { resource: name, field: field.name };
  }
  return undefined;
}

/** Location of the holder's representation: in the response to its creation, or the object of the path. */
function rootOf(
  context: Context,
  operation: Operation,
  { plan, holder }: { readonly plan: Plan; readonly holder: string },
): string | undefined {
  const parameter = ownParameter(operation, holder);
  if (parameter !== undefined) return `${plan.names[parameter] ?? ""}#`;
  const reply = operation.replies.find(({ status }) => status === 200 || status === 201);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  const isHolder = content !== undefined && partsOf(context.api, content.shape).some(({ ref }) => ref === holder);
  return isHolder ? "begun#/body" : undefined;
}

function within(pointer: readonly string[], schema: Template): Template {
  return pointer.reduceRight((inner: Template, name) => ({ required: [name], properties: { [name]: inner } }), schema);
}
