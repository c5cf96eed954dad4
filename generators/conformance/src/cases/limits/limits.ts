import type { CallStep, Case, Step } from "@plumbline/conformance-runtime";
import { type ErrorDefinition, headerNames, type Limit, memoize, type Operation } from "@plumbline/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { lengthCases } from "./lengths.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { successStatuses } from "../../requests/documented-statuses.js";
import { retentionCases } from "./retention.js";
import { uniqueCases } from "./uniqueness.js";

/** Cases of limits: at the limit, one past it, concurrent requests, and requests that do not count. */
export function limitCases(context: ConformanceContext): readonly Case[] {
  return [
    ...context.api.operations.flatMap((operation) =>
      operation.limits.flatMap((limit) => [
        ...rateCases(context, operation, limit),
        ...concurrencyCases(context, operation, limit),
      ]),
    ),
    ...uniqueCases(context),
    ...lengthCases(context),
    ...retentionCases(context),
  ];
}

// Rates

const namesOf = memoize(headerNames);

/** Limits of more requests would take too long. */
const maxTestedRequests = 200;

function rateCases(context: ConformanceContext, operation: Operation, limit: Limit): readonly Case[] {
  const { kind, max, window, per, error } = limit;
  const failure =
    findOperationError(context, operation, error) ?? context.api.errors.find(({ status }) => status === 429);
  if (kind !== "rate" || max === undefined || window === undefined || failure === undefined || max > maxTestedRequests)
    return [];
  // A limit on referenced objects needs other objects than the plan's.
  if (per !== undefined && !(per.root === "caller" && per.name === "user")) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const user = (name: string): Step => ({ actor: { account: "own" }, as: name });
  const by = (name: string): CallStep => ({ ...plan.call, by: { user: name } });
  const rejected = (name: string): CallStep => ({
    ...by(name),
    expect: {
      ...expectError(failure),
      ...(failure.retry ? { headers: { "retry-after": { type: "string", pattern: "^[1-9][0-9]*$" } } } : {}),
    },
  });
  // The step does not wait on a 429, since it tests that the request is accepted now.
  const atOnce = (name: string): readonly Step[] => [
    { ...by(name), expect: { status: [...successStatuses(operation), failure.status] }, as: "late" },
    {
      check: { $get: "late#/status" },
      matches: { enum: [...successStatuses(operation)] },
      message: "The window is over, but the request is rejected.",
    },
  ];
  const half = Math.floor(window.seconds / 2);
  const common = (about: string, title: string, steps: readonly Step[]): Case =>
    limitCase(context, { operation, limit, failure, plan }, { about, title, steps: [user("eve"), ...steps] });
  const toldCases = (): readonly Case[] => {
    const { limit: allowed, remaining, reset } = namesOf(context.api);
    const rates = operation.limits.filter((each) => each.kind === "rate");
    if (allowed === undefined || remaining === undefined || rates.length > 1) return [];
    const withHeaders = (left: number): CallStep => ({
      ...by("eve"),
      expect: {
        headers: {
          [allowed.toLowerCase()]: String(max),
          [remaining.toLowerCase()]: String(left),
          // Seconds since 1970 have ten digits until 2286.
          ...(reset === undefined ? {} : { [reset.toLowerCase()]: { type: "string", pattern: "^[0-9]{1,10}$" } }),
        },
      },
    });
    const headers = operation.responses.flatMap((response) =>
      String(response.status).startsWith("2") ? response.headers : [],
    );
    const sources = headers
      .filter(({ name }) => [allowed, remaining, reset].includes(name))
      .flatMap((each) => each.sources);
    const title = `Headers have the limit of ${max} requests, and the remaining number`;
    const found = common(
      "headers",
      title,
      max > 1 ? [withHeaders(max - 1), withHeaders(max - 2)] : [withHeaders(max - 1)],
    );
    return [{ ...found, requirements: [...new Set([...found.requirements, ...requirementIds(sources)])] }];
  };
  const within = `${max} requests within ${window.text} are accepted`;
  return [
    common("one-past", `${within}, and the next one is rejected`, [
      { repeat: [by("eve")], times: max },
      rejected("eve"),
    ]),
    common("all-at-once", `Of ${max * 2} concurrent requests ${max} are accepted`, [
      {
        parallel: [by("eve")],
        times: max * 2,
        outcomes: [
          { status: successStatuses(operation), count: max },
          { status: failure.status, count: max },
        ],
      },
    ]),
    common("recovers", `After ${window.text} requests are accepted again`, [
      { repeat: [by("eve")], times: max },
      rejected("eve"),
      { advance: `PT${window.seconds + 1}S` },
      ...atOnce("eve"),
      { repeat: [by("eve")], times: max - 1 },
      rejected("eve"),
    ]),
    common("moves-along", "The window slides with time", [
      by("eve"),
      { advance: `PT${half}S` },
      { repeat: [by("eve")], times: max - 1 },
      rejected("eve"),
      { advance: `PT${window.seconds - half + 1}S` },
      ...atOnce("eve"),
      rejected("eve"),
    ]),
    ...toldCases(),
    ...(plan.call.body === undefined || !operation.responses.some(({ status }) => status === 400)
      ? []
      : [
          common("rejected-count", "A request that is rejected for another reason counts, too", [
            { repeat: [by("eve")], times: max - 1 },
            { ...by("eve"), body: [], expect: { status: 400 } },
            rejected("eve"),
          ]),
        ]),
    common("per-user", "Another user of the account has a separate limit", [
      user("bob"),
      { repeat: [by("eve")], times: max },
      rejected("eve"),
      by("bob"),
    ]),
  ];
}

// Concurrency

function concurrencyCases(context: ConformanceContext, operation: Operation, limit: Limit): readonly Case[] {
  const { kind, max, error, per } = limit;
  const failure = findOperationError(context, operation, error);
  if (kind !== "concurrency" || max === undefined || failure === undefined || max > maxTestedRequests) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const { call } = plan;
  const rejection: CallStep = { ...call, expect: expectError(failure) };
  const common = (about: string, title: string, steps: readonly Step[]): Case =>
    limitCase(context, { operation, limit, failure, plan }, { about, title, steps });
  const other = otherObject(plan, per?.root === "request" && per.part === "path" ? per.name : undefined);
  const filled: readonly Step[] = [{ hold: true }, { repeat: [call], times: max }];
  return [
    common("one-past", `${max} concurrent requests are accepted, and one more is rejected`, [...filled, rejection]),
    common("recovers", "When they are done, a new one is accepted", [
      ...filled,
      rejection,
      { hold: false },
      { settle: true },
      { hold: true },
      { repeat: [call], times: max },
      rejection,
    ]),
    common("all-at-once", `Of ${max * 2} concurrent requests ${max} are accepted`, [
      { hold: true },
      {
        parallel: [call],
        times: max * 2,
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

interface LimitedOperation {
  readonly operation: Operation;
  readonly limit: Limit;
  readonly failure: ErrorDefinition;
  readonly plan: RequestPlan;
}

/** A case of a limit, which runs alone since other requests would count. */
function limitCase(
  context: ConformanceContext,
  { operation, limit, failure, plan }: LimitedOperation,
  { about, title, steps }: { readonly about: string; readonly title: string; readonly steps: readonly Step[] },
): Case {
  return createCase(context, {
    operation,
    kind: "limits",
    idParts: ["limits", limit.id, about],
    title,
    requirements: requirementIds([...limit.sources, ...failure.sources]),
    requires: plan.requires,
    exclusive: true,
    steps: [...plan.setupSteps, ...steps],
  });
}

/** The same call with another object in its path. */
function otherObject(plan: RequestPlan, parameter: string | undefined): { make: Step; call: CallStep } | undefined {
  const as = parameter === undefined ? undefined : plan.names[parameter];
  const made = plan.setupSteps.find((step) => "make" in step && step.as === as);
  if (parameter === undefined || made === undefined || !("make" in made)) return undefined;
  const key = plan.operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
  return {
    make: { ...made, as: "other", fresh: true },
    call: { ...plan.call, path: { ...plan.call.path, [parameter]: { $get: `other#/${key}` } } },
  };
}
