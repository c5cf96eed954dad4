import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  type Api,
  type Condition,
  type ErrorDefinition,
  type Operation,
  findField,
  collectFields,
  findTarget,
  ownValue,
} from "@plumbline/kit/model";
import { createCase, nearestRequirements, type ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import type { FailingRequests, AcceptedRequest } from "../context/settings.js";
import { expectError } from "../requests/expect-error.js";
import { bodySchema, planWithOverlay, ownParameter, bringIntoState } from "../requests/object-in-state.js";
import { setupStep, planRequest, type RequestPlan } from "../requests/request-plan.js";
import { violateCondition, satisfyCondition } from "../values/condition-solver.js";
import { unmetParts } from "./unmet-parts.js";

/** Cases of each error with a condition: a request that meets it, and, if one is known, a request that narrowly does not. */
export function errorCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) =>
    errorsOf(context.api, operation).flatMap((error) => {
      const configured = context.settings.errors?.[operation.name]?.[error.id];
      if (configured !== undefined) return configuredCases({ context, operation, error }, configured);
      return error.when === undefined ? [] : derivedCases({ context, operation, error }, error.when);
    }),
  );
}

interface ErrorContext {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  readonly error: ErrorDefinition;
}

/** The errors of the operation, of the schemas of its body, and of the changes that its body makes. */
export function errorsOf(api: Api, operation: Operation): readonly ErrorDefinition[] {
  const body = bodySchema(operation);
  const merged = api.schemas.find(({ name }) => name === operation.requestBody?.input.merged);
  const within = [body, merged?.schema].flatMap((schema) => (schema === undefined ? [] : collectFields(api, schema)));
  const all = [...operation.errors, ...within.flatMap(({ schema }) => schema.errors ?? [])];
  return [...new Map(all.map((each) => [each.id, each] as const)).values()];
}

// Requests from the settings

function configuredCases(about: ErrorContext, reported: FailingRequests): readonly Case[] {
  const { context, operation, error } = about;
  const field =
    reported.field ?? (typeof error.field === "string" && error.field !== "$each" ? error.field : undefined);
  const expect = expectError(error, field);
  const fieldError =
    reported.field === undefined ? expect : { ...expect, error: { ...expect.error, field: reported.field } };
  // The fields that the settings add to a request of a limit are not a condition.
  if (reported.fails === undefined) return [];
  const fails = planned(context, operation, { reported, request: reported.fails });
  return [
    caseFor(about, ["fails"], {
      title: errorTitle(error),
      plan: fails,
      steps: [...fails.setupSteps, { ...fails.call, expect: fieldError }],
    }),
    ...Object.entries(reported.alternatives ?? {}).map(([name, request]) => {
      const other = planned(context, operation, { reported, request });
      return caseFor(about, ["fails", name], {
        title: `${errorTitle(error)} (${name})`,
        plan: other,
        steps: [...other.setupSteps, { ...other.call, expect: fieldError }],
      });
    }),
    ...(reported.passes === undefined
      ? []
      : [notMetCase(about, planned(context, operation, { reported, request: reported.passes }))]),
    ...unmetParts(context, { operation, error, body: reported.fails.body ?? {} })
      .filter(({ body }) => JSON.stringify(body) !== JSON.stringify(reported.passes?.body))
      .map(({ name, body }) =>
        notMetCase(about, planned(context, operation, { reported, request: { ...reported.fails, body } }), [name]),
      ),
  ];
}

/** The accepted request with the fields of the settings. */
function planned(
  context: ConformanceContext,
  operation: Operation,
  { reported, request }: { readonly reported: FailingRequests; readonly request: AcceptedRequest },
): RequestPlan {
  const settings = {
    ...context.settings,
    operations: {
      ...context.settings.operations,
      [operation.name]: {
        ...context.settings.operations[operation.name],
        ...(reported.before === undefined ? {} : { before: reported.before }),
        ...request,
        ...(request.body === undefined ? {} : { body: bodyWith(context, operation, request.body) }),
      },
    },
  };
  return planRequest({ ...context, settings }, operation, { objects: "own" });
}

function bodyWith(context: ConformanceContext, operation: Operation, body: Template): Template {
  return { $merge: [planRequest(context, operation, { objects: "own" }).call.body ?? {}, body] };
}

// Requests from conditions

function derivedCases(about: ErrorContext, when: Condition): readonly Case[] {
  const { error } = about;
  const failed = requestForCondition(about, when);
  if (failed === undefined) return [];
  const passed = failed.passes;
  return [
    caseFor(about, ["fails"], {
      title: errorTitle(error),
      plan: failed.plan,
      exclusive: failed.isExclusive,
      steps: [...failed.plan.setupSteps, { ...failed.plan.call, expect: expectError(error, whichField(when)) }],
    }),
    ...(passed === undefined ? [] : [notMetCase(about, passed)]),
  ];
}

interface ConditionRequest {
  readonly plan: RequestPlan;
  readonly passes?: RequestPlan;
  readonly isExclusive: boolean;
}

/** A request that meets every part of a condition. Undefined when none can be derived. */
function requestForCondition({ context, operation }: ErrorContext, when: Condition): ConditionRequest | undefined {
  const { body, target, changes, caller, sent, refs, compare } = when;
  if (caller !== undefined || sent !== undefined || refs !== undefined || compare !== undefined) return undefined;
  const plan = planRequest(context, operation, { objects: "own" });
  const form = bodySchema(operation);
  const laid = body === undefined ? undefined : form && satisfyCondition({ context, schema: form }, body);
  if (body !== undefined && laid === undefined) return undefined;
  const fitting = laid === undefined ? plan : planWithOverlay(plan, laid);
  const changed =
    changes === undefined || body !== undefined ? fitting : changing(context, operation, fitting, changes);
  if (changed === undefined) return undefined;
  if (target === undefined) {
    const unfit = body && form && violateCondition({ context, schema: form }, body);
    return {
      plan: changed,
      isExclusive: plan.exclusive,
      ...(unfit === undefined ? {} : { passes: planWithOverlay(plan, unfit) }),
    };
  }
  return aboutTarget(context, operation, { plan: changed, target });
}

/** For a condition on the path's object: an object in a state, or created with the values. */
function aboutTarget(
  context: ConformanceContext,
  operation: Operation,
  { plan, target }: { readonly plan: RequestPlan; readonly target: NonNullable<Condition["target"]> },
): ConditionRequest | undefined {
  const resource = findTarget(context.api, operation)?.resource;
  if (resource === undefined) return undefined;
  const stateMachine = context.api.stateMachines.find((each) => each.resource === resource && each.field !== undefined);
  const schema = target.properties?.find(({ name }) => name === stateMachine?.field)?.schema;
  if (stateMachine === undefined || schema === undefined) return undefined;
  const parameter = ownParameter(operation, resource);
  if (parameter === undefined) return undefined;
  const isState = (state: string): boolean =>
    schema.const === state || schema.enum?.includes(state) === true || schema.not?.enum?.includes(state) === false;
  const as = ownValue(plan.names, parameter) ?? objectName(resource);
  for (const state of stateMachine.states.filter((each) => !(each in stateMachine.hidden) && isState(each))) {
    const standing = bringIntoState(context, { stateMachine, state, as, of: {} });
    if (standing === undefined) continue;
    const key = operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
    const others = plan.setupSteps.filter((step) => !("make" in step && step.as === as));
    const before: readonly Step[] = [...standing.steps, ...others.map(setupStep)];
    const call: CallStep = {
      ...plan.call,
      path: { ...plan.call.path, [parameter]: { $get: `${standing.root}/${key}` } },
    };
    return { plan: { ...plan, setupSteps: before, call }, passes: plan, isExclusive: true };
  }
  return undefined;
}

/** A body with a changed value of a field. */
function changing(
  context: ConformanceContext,
  operation: Operation,
  plan: RequestPlan,
  fields: readonly string[],
): RequestPlan | undefined {
  const [field] = fields;
  const form = bodySchema(operation);
  if (field === undefined || form === undefined || field.includes(".")) return undefined;
  const schema = findField(context.api, form, [field]);
  const parts =
    schema === undefined ? [] : [schema, ...(schema.ref === undefined ? [] : [context.schemas.get(schema.ref)])];
  const [, other] = parts.flatMap((part) => part?.enum ?? []).filter((each) => typeof each === "string");
  return other === undefined ? undefined : planWithOverlay(plan, { fields: { [field]: other }, setupSteps: [] });
}

/** The field of a condition on a single field. */
function whichField({ body, changes }: Condition): string | undefined {
  const names = body?.properties?.map(({ name }) => name) ?? changes ?? [];
  return names.length === 1 ? names[0] : undefined;
}

// Both

function notMetCase(about: ErrorContext, plan: RequestPlan, part: readonly string[] = []): Case {
  return caseFor(about, ["passes", ...part], {
    title: `Not met${part.map((each) => ` (${each})`).join("")}: ${errorTitle(about.error)}`,
    plan,
    steps: [...plan.setupSteps, plan.call],
  });
}

function caseFor(
  { context, operation, error }: ErrorContext,
  what: readonly string[],
  {
    title,
    plan,
    steps,
    exclusive = false,
  }: { title: string; plan: RequestPlan; steps: readonly Step[]; exclusive?: boolean },
): Case {
  return createCase(context, {
    operation,
    kind: "errors",
    idParts: ["errors", error.id, ...what],
    title,
    requirements: nearestRequirements(error.sources, operation.sources),
    requires: plan.requires,
    exclusive: exclusive || plan.exclusive,
    steps,
  });
}

function errorTitle({ id, summary }: ErrorDefinition): string {
  return summary?.replace(/\.$/, "") ?? id;
}
