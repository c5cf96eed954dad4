import type { CallStep, Case, Step } from "@plumbline/conformance-runtime";
import { ownValue, type Limit, type Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { createdResource } from "../../requests/created-resources.js";
import { successStatuses } from "../../requests/documented-statuses.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { ownParameter } from "../../requests/object-in-state.js";
import { anotherCall, separateCalls } from "../../requests/repeated-calls.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { limitCase, maxTestedRequests } from "./limit-case.js";

/** Cases of concurrency: at the limit, one past it, concurrent requests, and recovery once something has ended. */
export function concurrencyCases(context: ConformanceContext, operation: Operation, limit: Limit): readonly Case[] {
  const { kind, max, error, per } = limit;
  const failure = findOperationError(context, operation, error);
  if (kind !== "concurrency" || max === undefined || failure === undefined || max > maxTestedRequests) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const ending = endingStep(context, operation);
  // Each caller has a count of its own, of which nothing may be left from other cases.
  const isOfCaller = ending !== undefined && (per === undefined || per.root === "caller");
  const by: Partial<CallStep> = isOfCaller ? { by: { user: "eve" } } : {};
  const call: CallStep = { ...plan.call, ...by };
  const rejection: CallStep = { ...call, expect: expectError(failure) };
  const common = (about: string, title: string, steps: readonly Step[]): Case =>
    limitCase(
      context,
      { operation, limit, failure, plan },
      {
        about,
        title,
        ...(isOfCaller ? { first: { actor: { account: "own" }, as: "eve", idleSeconds: 0 } as const } : {}),
        steps,
      },
    );
  const other = otherObject(plan, per?.root === "request" && per.part === "path" ? per.name : undefined);
  // What the platform ends is held; what an operation ends stays by itself.
  const hold: readonly Step[] = ending === undefined ? [{ hold: true }] : [];
  const once: readonly Step[] = anotherCall(plan, { ...call, ...(ending === undefined ? {} : { as: "started" }) });
  const again: readonly Step[] = anotherCall(plan, call).slice(0, -1);
  const filled: readonly Step[] = [...hold, { repeat: once, times: max }];
  const separate = separateCalls(plan, call, max * 2);
  return [
    common("one-past", `${max} concurrent requests are accepted, and one more is rejected`, [
      ...filled,
      ...again,
      rejection,
    ]),
    common(
      "recovers",
      "When they are done, a new one is accepted",
      ending === undefined
        ? [
            ...filled,
            rejection,
            { hold: false },
            { settle: true },
            { hold: true },
            { repeat: once, times: max },
            rejection,
          ]
        : [...filled, ...again, rejection, { ...ending, ...by }, call, ...again, rejection],
    ),
    common("all-at-once", `Of ${max * 2} concurrent requests ${max} are accepted`, [
      ...hold,
      ...(separate?.setupSteps ?? []),
      {
        ...(separate === undefined ? { parallel: [call], times: max * 2 } : { parallel: separate.calls }),
        outcomes: [
          { status: successStatuses(operation), count: max },
          { status: failure.status, count: max },
        ],
      },
    ]),
    ...(other === undefined
      ? []
      : [common("per-object", "Another object has a separate limit", [other.make, ...filled, rejection, other.call])]),
  ];
}

/** The call that ends what the operation has started, bound to `started`. Undefined for what the platform ends. */
function endingStep({ api, operations }: ConformanceContext, operation: Operation): CallStep | undefined {
  const created = createdResource(api, operation);
  const stateMachine = api.stateMachines.find(({ resource }) => resource === created?.resource.name);
  if (created === undefined || stateMachine === undefined) return undefined;
  const start = stateMachine.initial.find(
    ({ event }) => event.kind === "operation" && event.operation === operation.name,
  );
  const starts = api.stateMachines.flatMap(({ initial, transitions }) =>
    [...initial, ...transitions].filter(
      ({ event }) => event.kind === "operation" && event.operation === operation.name,
    ),
  );
  // Only a transient state is ended by the platform.
  if (start === undefined || starts.some(({ then }) => then.length > 0)) return undefined;
  for (const { event, from, subject } of stateMachine.transitions) {
    const end = event.kind === "operation" ? operations.get(event.operation) : undefined;
    const pathParameter = end && ownParameter(end, created.resource.name);
    const isPlain = subject === undefined && from.includes(start.to) && end?.requestBody?.required !== true;
    const parameters = end?.parameters.filter((each) => each.in === "path") ?? [];
    if (end === undefined || pathParameter === undefined || !isPlain || parameters.length !== 1) continue;
    const key = parameters[0]?.reference?.by ?? "id";
    return {
      call: end.name,
      path: { [pathParameter]: { $get: `started#/body${created.pointer}/${key}` } },
      setup: true,
    };
  }
  return undefined;
}

/** The same call with another object in its path. */
export function otherObject(
  plan: RequestPlan,
  parameter: string | undefined,
): { make: Step; call: CallStep } | undefined {
  const as = parameter === undefined ? undefined : ownValue(plan.names, parameter);
  const creation = plan.setupSteps.find((step) => "make" in step && step.as === as);
  if (parameter === undefined || creation === undefined || !("make" in creation)) return undefined;
  const key = plan.operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
  return {
    make: { ...creation, as: "other", fresh: true },
    call: { ...plan.call, path: { ...plan.call.path, [parameter]: { $get: `other#/${key}` } } },
  };
}
