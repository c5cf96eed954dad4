import type { CallStep, Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import { type Effect, findTarget, type Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { createdResource } from "../../requests/created-resources.js";
import { expectError } from "../../requests/expect-error.js";
import { findErrorOf, objectNames, readObject } from "../../requests/object-chains.js";
import { planRequest, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { settledState } from "../../requests/state-paths.js";
import { schemaWithValue } from "./expression-values.js";

/** Cases of actions that run a second time: at once, and after what they need was prepared again. */
export function secondCallCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    if (!isAction(context, operation)) return [];
    const plan = planRequest(context, operation, { objects: "own" });
    const about: Action = { context, operation, plan, read: readOf(context, plan) };
    return [...atOnceCases(about), ...preparedCases(about)];
  });
}

interface Action {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  readonly plan: RequestPlan;
  /** A read of the object that the action changes. */
  readonly read: CallStep | undefined;
}

/** An operation that neither creates, updates nor deletes an object, nor moves it between states that it shows: other cases have these. */
function isAction(context: ConformanceContext, operation: Operation): boolean {
  const { api, resources } = context;
  const { name, method, path, limits } = operation;
  const isUpdate = method === "PUT" || method === "PATCH" || method === "GET" || method === "HEAD";
  // What is replaced is read after each call by another case.
  if (isUpdate || path === "" || operation.effects.every(({ does }) => does === "replace")) return false;
  if (createdResource(api, operation) !== undefined || limits.some(({ kind }) => kind === "concurrency")) return false;
  return (
    [...resources.values()].every((each) => each.delete !== name) &&
    api.stateMachines.every(
      ({ field, transitions }) => field === undefined || !transitions.some((each) => isEventOf(operation, each)),
    )
  );
}

function isEventOf({ name }: Operation, { event }: { readonly event: { readonly kind: string } }): boolean {
  return event.kind === "operation" && "operation" in event && event.operation === name;
}

function readOf(context: ConformanceContext, { operation, names, call }: RequestPlan): CallStep | undefined {
  const resource = context.resources.get(findTarget(context.api, operation)?.resource ?? "");
  const read = readObject(context, resource, objectNames(operation, names));
  return read === undefined ? undefined : { ...read, ...(call.by === undefined ? {} : { by: call.by }) };
}

/** The same call once more: it is accepted, and changes nothing of what it has set; or it has the error of the state that it led to. */
function atOnceCases({ context, operation, plan, read }: Action): readonly Case[] {
  const outcome = secondOutcome(context, operation);
  if (outcome === undefined) return [];
  const { expect, sources } = outcome;
  const settings = operation.effects.filter(({ does, verifiedBy }) => does === "set" && verifiedBy === undefined);
  const fields = settings.flatMap(({ values }) => Object.keys(values));
  const isRead = read !== undefined && fields.length > 0 && settings.every((each) => isOfTarget(operation, each));
  const same: Template = { allOf: fields.map((field) => sameValue(field.split("."), "once#/body")) };
  return [
    createCase(context, {
      operation,
      kind: "effects",
      idParts: ["second", "at-once"],
      title: `${operation.summary ?? operation.name}: a second time it is ${expect === undefined ? "accepted, too" : "rejected"}`,
      requirements: [...sources, ...requirementIds(operation.sources)],
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        { ...plan.call, as: "answer" },
        { settle: true },
        ...(isRead ? [setupStep({ ...read, as: "once" })] : []),
        {
          ...plan.call,
          ...(plan.call.body === undefined ? {} : { body: { $get: "answer#/request/body" } }),
          ...(expect === undefined ? {} : { expect }),
        },
        ...(isRead ? [{ settle: true } as const, { ...read, expect: { body: same } }] : []),
      ],
    }),
  ];
}

/** What the second call gets: no expectation of an error where each state after the first call permits it. Undefined if nothing says so. */
function secondOutcome(
  context: ConformanceContext,
  operation: Operation,
): { readonly expect: Expectation | undefined; readonly sources: readonly string[] } | undefined {
  const set = new Set(operation.effects.flatMap(({ values }) => Object.keys(values).map((each) => each.split(".")[0])));
  const isPrevented = operation.errors.some(
    ({ when }) => when?.target?.properties?.some(({ name }) => set.has(name)) === true,
  );
  const moves = context.api.stateMachines.flatMap(({ transitions }) =>
    transitions.filter((each) => isEventOf(operation, each)),
  );
  if (isPrevented || moves.some(({ when, subject }) => when !== undefined || subject !== undefined)) return undefined;
  const barred = moves.find((each) => !each.from.includes(settledState(each)));
  const error = findErrorOf(context, operation, barred?.error);
  if (barred !== undefined && error === undefined) return undefined;
  return {
    expect: error && expectError(error),
    sources: requirementIds([...moves.flatMap((each) => each.sources), ...(error?.sources ?? [])]),
  };
}

/** The value that an earlier read has, also if it has none. */
function sameValue(field: readonly string[], read: string): Template {
  const [name = "", ...rest] = field;
  const inner = rest.length === 0 ? { const: { $get: `${read}/${name}` } } : sameValue(rest, `${read}/${name}`);
  return { properties: { [name]: inner } };
}

function isOfTarget({ parameters }: Operation, { to = "" }: Effect): boolean {
  const last = parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  return last === undefined ? /^\w+$/.test(to) : to === `$request.path.${last.name}`;
}

/** What an action undoes can be done again, and undone again: the steps before the call run twice. */
function preparedCases({ context, operation, plan, read }: Action): readonly Case[] {
  const prepares = plan.setupSteps.filter((step) => !("make" in step) && !("actor" in step));
  const calls = prepares.flatMap((step) => ("call" in step ? (context.operations.get(step.call) ?? []) : []));
  const done = new Set(calls.flatMap((each) => each.effects.flatMap(({ values }) => Object.keys(values))));
  const effects = operation.effects.filter((each) => each.does === "set" && each.when === undefined);
  const undone = effects.flatMap((effect) =>
    Object.entries(effect.values).flatMap(([field, take]) =>
      take.kind === "value" && done.has(field) && isOfTarget(operation, effect) ? [{ field, take, effect }] : [],
    ),
  );
  if (read === undefined || undone.length === 0) return [];
  const reading = (schemaOf: (value: Template) => Template): Step => ({
    ...read,
    expect: {
      body: { allOf: undone.map(({ field, take }) => schemaWithValue(field.split("."), schemaOf(take.value))) },
    },
  });
  const steps: readonly Step[] = [
    ...plan.setupSteps,
    plan.call,
    { settle: true },
    ...prepares.map((step): Step => ("call" in step ? { ...step, setup: undefined } : step)),
    { settle: true },
    reading((value) => ({ not: { const: value } })),
    plan.call,
    { settle: true },
    reading((value) => ({ const: value })),
  ];
  return [
    createCase(context, {
      operation,
      kind: "effects",
      idParts: ["second", "done-again"],
      title: `${operation.summary ?? operation.name}: what it undoes can be done and undone again`,
      requirements: requirementIds([
        ...undone.flatMap(({ effect }) => effect.sources),
        ...[operation, ...calls].flatMap(({ sources }) => sources),
      ]),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps,
    }),
  ];
}
