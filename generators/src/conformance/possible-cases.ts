import type { CallStep, Case, Step } from "@plumbline/conformance-runtime";
import { findJsonContent, type Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "./context/context.js";
import { hasSuccess, possibleStatuses, successStatuses } from "./requests/documented-statuses.js";
import { expectStep, hasKnownPath, planRequest, type RequestPlan } from "./requests/request-plan.js";
import { validateTemplate } from "./values/template-validation.js";

/**
 * Drops cases that expect a success of an operation without a known valid request: it requires a body of another media type, or its schema has
 * no value that a sample finds, such as one that contains itself without end.
 */
export function possibleCases(context: ConformanceContext, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ steps }) => steps.flatMap(callsIn).every((step) => isPossible(context, step)));
}

/** The plan's call with the statuses that it may get: successes, or all documented ones where its path may name nothing. */
export function acceptedCall(
  context: ConformanceContext,
  plan: RequestPlan,
  changed: Partial<CallStep> = {},
): CallStep {
  const { operation } = plan;
  if (!hasKnownPath(context, operation) || !hasSuccess(operation))
    return expectStep(plan, { status: possibleStatuses(operation) }, changed);
  return { ...permittedCall(context, plan), ...changed };
}

/** The plan's call. Where a state that nothing describes may forbid it, the documented conflict skips the case. */
export function permittedCall(context: ConformanceContext, plan: RequestPlan): CallStep {
  const { operation } = plan;
  return hasHiddenStates(context, operation)
    ? expectStep(plan, { status: [...successStatuses(operation), 409] }, { needsObject: true })
    : plan.call;
}

/** True for an action such as `POST /tasks/{taskId}/finish` that documents a conflict, but neither its states nor its condition. */
function hasHiddenStates({ api }: ConformanceContext, operation: Operation): boolean {
  const { name, method, path, requestBody, errors, responses } = operation;
  const isAction = (method === "POST" || method === "PUT") && path.includes("}/") && requestBody === undefined;
  return (
    isAction &&
    responses.some(({ status }) => status === 409) &&
    errors.every(({ status }) => status !== 409) &&
    !api.stateMachines.some(({ transitions }) =>
      transitions.some(({ event }) => event.kind === "operation" && event.operation === name),
    )
  );
}

function callsIn(step: Step): readonly CallStep[] {
  if ("call" in step) return [step];
  if ("parallel" in step) return step.parallel;
  if ("frame" in step) return [step.frame];
  return "repeat" in step ? step.repeat.flatMap(callsIn) : [];
}

function isPossible(context: ConformanceContext, { call, expect, raw, method }: CallStep): boolean {
  const operation = context.operations.get(call);
  if (operation?.requestBody === undefined || raw !== undefined || method !== undefined) return true;
  const expectsSuccess =
    expect?.error === undefined && [expect?.status ?? 200].flat().every((status) => status >= 200 && status < 300);
  return !expectsSuccess || hasValidRequest(context, operation);
}

const cache = new WeakMap<ConformanceContext, Map<string, boolean>>();

function hasValidRequest(context: ConformanceContext, operation: Operation): boolean {
  const ofContext = cache.get(context) ?? new Map<string, boolean>();
  cache.set(context, ofContext);
  const isValid = ofContext.get(operation.name) ?? findsValidRequest(context, operation);
  ofContext.set(operation.name, isValid);
  return isValid;
}

function findsValidRequest(context: ConformanceContext, operation: Operation): boolean {
  const { requestBody, name } = operation;
  if (requestBody === undefined || context.settings.operations[name]?.body !== undefined) return true;
  const { body } = planRequest(context, operation, { objects: "shared" }).call;
  if (body === undefined) return !requestBody.required;
  const content = findJsonContent(requestBody.contents);
  return content === undefined || validateTemplate(context, content.schema, body, requestBody.input.nulls).length === 0;
}
