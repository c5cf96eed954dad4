import type { CallStep, Case, Expectation, Step } from "@plumbline/conformance-runtime";
import {
  countOf,
  durationInWords,
  type ErrorDefinition,
  headerNames,
  type Limit,
  memoize,
  type Operation,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import { successStatuses } from "../../requests/documented-statuses.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { anotherCall, isRepeatable, separateCalls } from "../../requests/repeated-calls.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { limitCase, maxTestedRequests, type LimitedOperation } from "./limit-case.js";

const namesOf = memoize(headerNames);

/** Cases of rates: at the limit, one past it, concurrent requests, recovery, and requests that do not count. */
export function rateCases(context: ConformanceContext, operation: Operation, limit: Limit): readonly Case[] {
  const { kind, max, window, per, error } = limit;
  const failure =
    findOperationError(context, operation, error) ??
    context.api.errors.find(({ status }) => status === 429) ??
    documentedError(operation, limit);
  if (kind !== "rate" || max === undefined || window === undefined || failure === undefined || max > maxTestedRequests)
    return [];
  // A limit on referenced objects needs other objects than the plan's.
  if (per !== undefined && !(per.root === "caller" && per.name === "user")) return [];
  if (representative(context, limit) !== operation) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  // Without users, a user is as good as new after a short window without requests.
  const idle = window.seconds <= maxIdleSeconds ? { idleSeconds: window.seconds } : {};
  const user = (name: string): Step => ({ actor: { account: "own" }, as: name });
  const by = (name: string): CallStep => ({ ...plan.call, by: { user: name }, isImmediate: true });
  const again = (name: string): readonly Step[] => anotherCall(plan, by(name));
  const rejected = (name: string): CallStep => ({
    ...by(name),
    expect: {
      ...expectRejected(failure),
      ...(failure.retry ? { headers: { "retry-after": { type: "string", pattern: "^[1-9][0-9]*$" } } } : {}),
    },
  });
  // The step does not wait on a 429, since it tests that the request is accepted now.
  const half = Math.floor(window.seconds / 2);
  const common = (about: string, title: string, steps: readonly Step[]): Case =>
    limitCase(
      context,
      { operation, limit, failure, plan },
      { about, title, first: { actor: { account: "own" }, as: "eve", ...idle }, steps },
    );
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
    const title = `Headers have the limit of ${countOf(max, "request")}, and the remaining number`;
    const found = common(
      "headers",
      title,
      max > 1 ? [withHeaders(max - 1), withHeaders(max - 2)] : [withHeaders(max - 1)],
    );
    return [{ ...found, requirements: [...new Set([...found.requirements, ...requirementIds(sources)])] }];
  };
  const separate = separateCalls(plan, by("eve"), max * 2);
  const within = `${countOf(max, "request")} within ${durationInWords(window)} ${max === 1 ? "is" : "are"} accepted`;
  if (context.settings.actors.user === undefined && window.seconds > maxIdleSeconds)
    return usedWindowCases(context, { operation, limit, failure, plan }, withoutUser(rejected("eve")));
  return [
    common("one-past", `${within}, and the next one is rejected`, [
      { repeat: again("eve"), times: max },
      rejected("eve"),
    ]),
    common("all-at-once", `Of ${max * 2} concurrent requests ${max === 1 ? "one is" : `${max} are`} accepted`, [
      ...(separate?.setupSteps ?? []),
      {
        ...(separate === undefined ? { parallel: [by("eve")], times: max * 2 } : { parallel: separate.calls }),
        outcomes: [
          { status: successStatuses(operation), count: max },
          { status: failure.status, count: max },
        ],
      },
    ]),
    common("recovers", `After ${durationInWords(window)} requests are accepted again`, [
      { repeat: again("eve"), times: max },
      rejected("eve"),
      { advance: `PT${window.seconds + 1}S` },
      ...again("eve"),
      { repeat: again("eve"), times: max - 1 },
      rejected("eve"),
    ]),
    ...(window.seconds < 2
      ? []
      : [
          common("moves-along", "The window slides with time", [
            ...again("eve"),
            { advance: `PT${half}S` },
            { repeat: again("eve"), times: max - 1 },
            rejected("eve"),
            { advance: `PT${window.seconds - half + 1}S` },
            ...again("eve"),
            rejected("eve"),
          ]),
        ]),
    ...toldCases(),
    ...togetherCases(context, {
      operation,
      limit,
      failure,
      plan,
      first: { actor: { account: "own" }, as: "eve", ...idle },
    }),
    ...(plan.call.body === undefined || !operation.responses.some(({ status }) => status === 400)
      ? []
      : [
          common("rejected-count", "A request that is rejected for another reason counts, too", [
            { repeat: again("eve"), times: max - 1 },
            { ...by("eve"), body: [], expect: { status: 400 } },
            rejected("eve"),
          ]),
        ]),
    ...(Object.hasOwn(context.settings.fixtures, "client")
      ? [
          common("per-token", "Another token of the user shares the limit", [
            { make: "client", as: "client", fresh: true, by: { user: "eve" } },
            { repeat: again("eve"), times: max },
            { ...rejected("eve"), by: { token: { $get: "client#/token" } } },
          ]),
        ]
      : []),
    common("per-user", "Another user of the account has a separate limit", [
      user("bob"),
      { repeat: again("eve"), times: max },
      rejected("eve"),
      ...again("bob"),
    ]),
  ];
}

/** The longest window that a run waits for instead of creating a user. */
const maxIdleSeconds = 10;

/**
 * Cases of a suite that cannot create users: other requests of the run may have used a part of the window, so that only the last request has one
 * outcome.
 */
function usedWindowCases(context: ConformanceContext, about: LimitedOperation, rejected: CallStep): readonly Case[] {
  const { operation, limit, failure, plan } = about;
  const { max = 0, window } = limit;
  if (window === undefined) return [];
  const call: CallStep = { ...plan.call, isImmediate: true };
  const status = [...successStatuses(operation), failure.status];
  const exceed: readonly Step[] = [
    { repeat: anotherCall(plan, { ...call, expect: { status } }), times: max },
    rejected,
  ];
  return [
    limitCase(context, about, {
      about: "one-past",
      title: `Of ${countOf(max + 1, "request")} within ${durationInWords(window)} the last one is rejected`,
      steps: exceed,
    }),
    limitCase(context, about, {
      about: "recovers",
      title: `After ${durationInWords(window)} requests are accepted again`,
      steps: [...exceed, { advance: `PT${window.seconds + 1}S` }, ...anotherCall(plan, call)],
    }),
  ];
}

function withoutUser({ by: _by, ...call }: CallStep): CallStep {
  return call;
}

/** The response of a description that documents 429, but no error. */
function documentedError({ responses }: Operation, { origin }: Limit): ErrorDefinition | undefined {
  const isDocumented = responses.some(({ status }) => status === 429);
  return isDocumented ? { id: "", status: 429, reasonContains: [], retry: false, sources: [], origin } : undefined;
}

function expectRejected(failure: ErrorDefinition): Expectation {
  return failure.id === "" ? { status: failure.status } : expectError(failure);
}

/** A limit of several operations is tested with one of them: one that can be repeated without other objects, preferably a read. */
function representative(context: ConformanceContext, { id }: Limit): Operation | undefined {
  const all = operationsWith(context, id);
  const plans = all.map((operation) => planRequest(context, operation, { objects: "own" }));
  const isFree = ({ setupSteps }: RequestPlan): boolean => setupSteps.length === 0;
  const isRead = ({ operation }: RequestPlan): boolean => operation.method === "GET";
  const best =
    plans.find((plan) => isFree(plan) && isRead(plan)) ??
    plans.find((plan) => isFree(plan) && isRepeatable(plan)) ??
    plans.find(isRepeatable);
  return best?.operation ?? all[0];
}

function operationsWith({ api }: ConformanceContext, id: string): readonly Operation[] {
  return api.operations.filter(({ limits }) => limits.some((each) => each.id === id));
}

/** Requests of different operations count together. */
function togetherCases(
  context: ConformanceContext,
  about: LimitedOperation & { readonly first: Step },
): readonly Case[] {
  const { operation, limit, failure, plan, first } = about;
  const { max = 0, id } = limit;
  const other = operationsWith(context, id)
    .filter((each) => each !== operation)
    .map((each) => planRequest(context, each, { objects: "own" }))
    .find(({ setupSteps }) => setupSteps.length === 0);
  if (other === undefined || max < 2) return [];
  const by = { by: { user: "eve" }, isImmediate: true } as const;
  const call: CallStep = { ...plan.call, ...by };
  return [
    limitCase(context, about, {
      about: "together",
      title: `Requests of ${operation.name} and ${other.operation.name} count together`,
      first,
      steps: [
        { ...other.call, ...by },
        { repeat: anotherCall(plan, call), times: max - 1 },
        { ...call, expect: expectRejected(failure) },
      ],
    }),
  ];
}
