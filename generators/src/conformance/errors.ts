import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Api, Condition, Failure, Operation } from "../model/api.js";
import { fieldAt, fieldsOf } from "../model/fields.js";
import { targetOf } from "../model/targets.js";
import { caseOf, nearestRequirements, type Context } from "./context.js";
import { given, nameOf, planOf, type Plan } from "./plans.js";
import { failing } from "./failing.js";
import { breaking, satisfying } from "./satisfying.js";
import type { FailingRequests, FittingRequest } from "./settings.js";
import { bodyShape, laidOver, ownParameter, standingIn } from "./standing.js";

/** Cases of each error with a condition: a request that meets it, and, if one is known, a request that narrowly does not. */
export function errorCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) =>
    failuresOf(context.api, operation).flatMap((failure) => {
      const configured = context.settings.errors?.[operation.name]?.[failure.id];
      if (configured !== undefined) return toldCases({ context, operation, failure }, configured);
      return failure.when === undefined ? [] : derivedCases({ context, operation, failure }, failure.when);
    }),
  );
}

interface About {
  readonly context: Context;
  readonly operation: Operation;
  readonly failure: Failure;
}

/** The errors of the operation, of the schemas of its body, and of the changes that its body makes. */
export function failuresOf(api: Api, operation: Operation): readonly Failure[] {
  const body = bodyShape(operation);
  const merged = api.shapes.find(({ name }) => name === operation.body?.input.merged);
  const within = [body, merged?.shape].flatMap((shape) => (shape === undefined ? [] : fieldsOf(api, shape)));
  const all = [...operation.failures, ...within.flatMap(({ shape }) => shape.failures ?? [])];
  return [...new Map(all.map((each) => [each.id, each] as const)).values()];
}

// Requests from the settings

function toldCases(about: About, told: FailingRequests): readonly Case[] {
  const { context, operation, failure } = about;
  const field =
    told.field ?? (typeof failure.field === "string" && failure.field !== "$each" ? failure.field : undefined);
  const expect = failing(failure, field);
  const named = told.field === undefined ? expect : { ...expect, error: { ...expect.error, field: told.field } };
  // The fields that the settings add to a request of a limit are not a condition.
  if (told.fails === undefined) return [];
  const fails = planned(context, operation, { told, request: told.fails });
  return [
    caseFor(about, ["fails"], {
      title: sentenceOf(failure),
      plan: fails,
      steps: [...fails.before, { ...fails.call, expect: named }],
    }),
    ...Object.entries(told.others ?? {}).map(([name, request]) => {
      const other = planned(context, operation, { told, request });
      return caseFor(about, ["fails", name], {
        title: `${sentenceOf(failure)} (${name})`,
        plan: other,
        steps: [...other.before, { ...other.call, expect: named }],
      });
    }),
    ...(told.passes === undefined
      ? []
      : [passesCase(about, planned(context, operation, { told, request: told.passes }))]),
  ];
}

/** The accepted request with the fields of the settings. */
function planned(
  context: Context,
  operation: Operation,
  { told, request }: { readonly told: FailingRequests; readonly request: FittingRequest },
): Plan {
  const settings = {
    ...context.settings,
    operations: {
      ...context.settings.operations,
      [operation.name]: {
        ...context.settings.operations[operation.name],
        ...(told.before === undefined ? {} : { before: told.before }),
        ...request,
        ...(request.body === undefined ? {} : { body: bodyWith(context, operation, request.body) }),
      },
    },
  };
  return planOf({ ...context, settings }, operation, { objects: "own" });
}

function bodyWith(context: Context, operation: Operation, body: Template): Template {
  return { $merge: [planOf(context, operation, { objects: "own" }).call.body ?? {}, body] };
}

// Requests from conditions

function derivedCases(about: About, when: Condition): readonly Case[] {
  const { failure } = about;
  const failed = requestFor(about, when);
  if (failed === undefined) return [];
  const passed = failed.passes;
  return [
    caseFor(about, ["fails"], {
      title: sentenceOf(failure),
      plan: failed.plan,
      alone: failed.isAlone,
      steps: [...failed.plan.before, { ...failed.plan.call, expect: failing(failure, whichField(when)) }],
    }),
    ...(passed === undefined ? [] : [passesCase(about, passed)]),
  ];
}

interface Requested {
  readonly plan: Plan;
  readonly passes?: Plan;
  readonly isAlone: boolean;
}

/** A request that meets every part of a condition. Undefined when none can be derived. */
function requestFor({ context, operation }: About, when: Condition): Requested | undefined {
  const { body, target, changes, caller, sent, refs, compare } = when;
  if (caller !== undefined || sent !== undefined || refs !== undefined || compare !== undefined) return undefined;
  const plan = planOf(context, operation, { objects: "own" });
  const form = bodyShape(operation);
  const laid = body === undefined ? undefined : form && satisfying({ context, form }, body);
  if (body !== undefined && laid === undefined) return undefined;
  const asked = laid === undefined ? plan : laidOver(plan, laid);
  const changed = changes === undefined || body !== undefined ? asked : changing(context, operation, asked, changes);
  if (changed === undefined) return undefined;
  if (target === undefined) {
    const unfit = body && form && breaking({ context, form }, body);
    return { plan: changed, isAlone: plan.alone, ...(unfit === undefined ? {} : { passes: laidOver(plan, unfit) }) };
  }
  return aboutTarget(context, operation, { plan: changed, target });
}

/** For a condition on the path's object: an object in a state, or created with the values. */
function aboutTarget(
  context: Context,
  operation: Operation,
  { plan, target }: { readonly plan: Plan; readonly target: NonNullable<Condition["target"]> },
): Requested | undefined {
  const resource = targetOf(context.api, operation)?.resource;
  if (resource === undefined) return undefined;
  const machine = context.api.machines.find((each) => each.resource === resource && each.field !== undefined);
  const wanted = target.properties?.find(({ name }) => name === machine?.field)?.shape;
  if (machine === undefined || wanted === undefined) return undefined;
  const parameter = ownParameter(operation, resource);
  if (parameter === undefined) return undefined;
  const isState = (state: string): boolean =>
    wanted.const === state || wanted.enum?.includes(state) === true || wanted.not?.enum?.includes(state) === false;
  const as = plan.names[parameter] ?? nameOf(resource);
  for (const state of machine.states.filter((each) => !(each in machine.hidden) && isState(each))) {
    const standing = standingIn(context, { machine, state, as, of: {} });
    if (standing === undefined) continue;
    const key = operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
    const others = plan.before.filter((step) => !("make" in step && step.as === as));
    const before: readonly Step[] = [...standing.steps, ...others.map(given)];
    const call: CallStep = {
      ...plan.call,
      path: { ...plan.call.path, [parameter]: { $get: `${standing.root}/${key}` } },
    };
    return { plan: { ...plan, before, call }, passes: plan, isAlone: true };
  }
  return undefined;
}

/** A body with a changed value of a field. */
function changing(context: Context, operation: Operation, plan: Plan, fields: readonly string[]): Plan | undefined {
  const [field] = fields;
  const form = bodyShape(operation);
  if (field === undefined || form === undefined || field.includes(".")) return undefined;
  const shape = fieldAt(context.api, form, [field]);
  const parts = shape === undefined ? [] : [shape, ...(shape.ref === undefined ? [] : [context.shapes.get(shape.ref)])];
  const [, other] = parts.flatMap((part) => part?.enum ?? []).filter((each) => typeof each === "string");
  return other === undefined ? undefined : laidOver(plan, { fields: { [field]: other }, before: [] });
}

/** The field of a condition on a single field. */
function whichField({ body, changes }: Condition): string | undefined {
  const names = body?.properties?.map(({ name }) => name) ?? changes ?? [];
  return names.length === 1 ? names[0] : undefined;
}

// Both

function passesCase(about: About, plan: Plan): Case {
  return caseFor(about, ["passes"], {
    title: `Not met: ${sentenceOf(about.failure)}`,
    plan,
    steps: [...plan.before, plan.call],
  });
}

function caseFor(
  { context, operation, failure }: About,
  what: readonly string[],
  { title, plan, steps, alone = false }: { title: string; plan: Plan; steps: readonly Step[]; alone?: boolean },
): Case {
  return caseOf(context, {
    operation,
    kind: "errors",
    about: ["errors", failure.id, ...what],
    title,
    requirements: nearestRequirements(failure.sources, operation.sources),
    needs: plan.needs,
    alone: alone || plan.alone,
    steps,
  });
}

function sentenceOf({ id, summary }: Failure): string {
  return summary?.replace(/\.$/, "") ?? id;
}
