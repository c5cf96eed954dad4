import type { CallStep, Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import {
  countOf,
  type Duration,
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
import { aroundEnd } from "../lifecycle/deadlines.js";
import { limitCase, maxTestedRequests, type LimitedOperation } from "./limit-case.js";

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
  const test = planRateTest(context, { operation, limit, failure, plan, max, window });
  if (context.settings.actors.user === undefined && window.seconds > maxIdleSeconds) return usedWindowCases(test);
  return [
    onePastCase(test),
    allAtOnceCase(test),
    recoveryCase(test),
    ...nearEndCases(context, test),
    ...slidingWindowCases(test),
    ...headerCases(test),
    ...togetherCases(test),
    ...rejectedRequestCases(test),
    ...tokenCases(test),
    perUserCase(test),
  ];
}

interface RateLimitedOperation extends LimitedOperation {
  readonly max: number;
  readonly window: Duration;
}

/** What the cases of one rate share. A new user, Eve, sends their requests. */
interface RateTest extends RateLimitedOperation {
  readonly context: ConformanceContext;
  readonly call: CallStep;
  readonly rejected: CallStep;
  /** One more call. */
  readonly again: readonly Step[];
  /** As many calls as the limit allows. */
  readonly exhausted: Step;
  readonly first: Step;
  readonly createCase: (about: string, title: string, steps: readonly Step[]) => Case;
}

function planRateTest(context: ConformanceContext, about: RateLimitedOperation): RateTest {
  const { plan, failure, max, window } = about;
  // The step does not wait on a 429, since it tests that the request is accepted now.
  const call: CallStep = { ...plan.call, by: { user: "eve" }, isImmediate: true };
  const again = anotherCall(plan, call);
  const headers = failure.retry
    ? { headers: { "retry-after": { type: "string", pattern: "^[1-9][0-9]*$" } as const } }
    : {};
  // Without users, a user is as good as new after a short window without requests.
  const idle = window.seconds <= maxIdleSeconds ? { idleSeconds: window.seconds } : {};
  const first: Step = { actor: { account: "own" }, as: "eve", ...idle };
  return {
    ...about,
    context,
    call,
    rejected: { ...call, expect: { ...expectRejected(failure), ...headers } },
    again,
    exhausted: { repeat: again, times: max },
    first,
    createCase: (id, title, steps) => limitCase(context, about, { about: id, title, first, steps }),
  };
}

/** The longest window that a run waits for instead of creating a user. */
const maxIdleSeconds = 10;

function onePastCase({ createCase, max, window, exhausted, rejected }: RateTest): Case {
  const accepted = `${countOf(max, "request")} within ${durationInWords(window)} ${max === 1 ? "is" : "are"} accepted`;
  return createCase("one-past", `${accepted}, and the next one is rejected`, [exhausted, rejected]);
}

function allAtOnceCase({ createCase, operation, failure, plan, max, call }: RateTest): Case {
  const separate = separateCalls(plan, call, max * 2);
  return createCase(
    "all-at-once",
    `Of ${max * 2} concurrent requests ${max === 1 ? "one is" : `${max} are`} accepted`,
    [
      ...(separate?.setupSteps ?? []),
      {
        ...(separate === undefined ? { parallel: [call], times: max * 2 } : { parallel: separate.calls }),
        outcomes: [
          { status: successStatuses(operation), count: max },
          { status: failure.status, count: max },
        ],
      },
    ],
  );
}

function recoveryCase({ createCase, max, window, again, exhausted, rejected }: RateTest): Case {
  return createCase("recovers", `After ${durationInWords(window)} requests are accepted again`, [
    exhausted,
    rejected,
    { advance: `PT${window.seconds + 1}S` },
    ...again,
    { repeat: again, times: max - 1 },
    rejected,
  ]);
}

/** The requests count until the window is over. A window that a run waits for is too short for that. */
function nearEndCases(context: ConformanceContext, test: RateTest): readonly Case[] {
  const { window, first, exhausted, rejected } = test;
  if (window.seconds <= maxIdleSeconds) return [];
  const about = "counts-until-the-end";
  const title = `Requests count until ${durationInWords(window)} are over`;
  const steps = [exhausted, aroundEnd(context, window.seconds).near, rejected];
  return [limitCase(context, test, { about, title, first, steps, isNearEnd: true })];
}

function slidingWindowCases({ createCase, max, window, again, rejected }: RateTest): readonly Case[] {
  if (window.seconds < 2) return [];
  const half = Math.floor(window.seconds / 2);
  return [
    createCase("moves-along", "The window slides with time", [
      ...again,
      { advance: `PT${half}S` },
      { repeat: again, times: max - 1 },
      rejected,
      { advance: `PT${window.seconds - half + 1}S` },
      ...again,
      rejected,
    ]),
  ];
}

/** Headers with the limit, and the number of remaining requests. With several rates, they may be those of another one. */
function headerCases({ createCase, context, operation, limit, max, window, plan, call }: RateTest): readonly Case[] {
  const rates = operation.limits.filter(({ kind }) => kind === "rate");
  const names = namesOf(context.api);
  const rateHeaders = rateHeaderValues(limit, max, window);
  const expected = (count: number): Readonly<Record<string, Template>> =>
    Object.fromEntries(
      Object.entries(rateHeaders).flatMap(([role, valueOf]) => {
        const name = names[role as keyof typeof rateHeaders];
        return name === undefined ? [] : [[name.toLowerCase(), valueOf(count)] as const];
      }),
    );
  const hasRemaining = names.remaining !== undefined || names.rateLimit !== undefined;
  if (!hasRemaining || rates.length > 1) return [];
  const withRemaining = (count: number): CallStep => ({ ...call, expect: { headers: expected(count) } });
  const created = createCase(
    "headers",
    `Headers have the limit of ${countOf(max, "request")}, and the remaining number`,
    [max - 1, max - 2].filter((count) => count >= 0).flatMap((count) => anotherCall(plan, withRemaining(count))),
  );
  const sources = operation.responses
    .filter(({ status }) => String(status).startsWith("2"))
    .flatMap(({ headers }) => headers)
    .filter(({ name }) => Object.hasOwn(expected(0), name.toLowerCase()))
    .flatMap((header) => header.sources);
  return [{ ...created, requirements: [...new Set([...created.requirements, ...requirementIds(sources)])] }];
}

const namesOf = memoize(headerNames);

/** What the headers about a rate contain, by their roles, when a number of requests remains. */
function rateHeaderValues(
  { id }: Limit,
  max: number,
  window: Duration,
): Readonly<Record<"limit" | "remaining" | "reset" | "rateLimit" | "rateLimitPolicy", (count: number) => Template>> {
  return {
    limit: () => String(max),
    remaining: String,
    // Seconds since 1970 have ten digits until 2286.
    reset: () => ({ type: "string", pattern: "^[0-9]{1,10}$" }),
    // Structured fields, whose parameters may have any order.
    rateLimit: (count) => ({ type: "string", pattern: `"${id}"(;[^,]*)?;r=${count}(;|,|$)` }),
    rateLimitPolicy: () => ({
      type: "string",
      allOf: [
        { pattern: `"${id}"(;[^,]*)?;q=${max}(;|,|$)` },
        { pattern: `"${id}"(;[^,]*)?;w=${window.seconds}(;|,|$)` },
      ],
    }),
  };
}

/** Requests of different operations count together. */
function togetherCases({ createCase, context, operation, limit, failure, plan, max, call }: RateTest): readonly Case[] {
  const other = operationsWith(context, limit.id)
    .filter((each) => each !== operation)
    .map((each) => planRequest(context, each, { objects: "own" }))
    .find(({ setupSteps }) => setupSteps.length === 0);
  if (other === undefined || max < 2) return [];
  return [
    createCase("together", `Requests of ${operation.name} and ${other.operation.name} count together`, [
      { ...other.call, by: { user: "eve" }, isImmediate: true },
      { repeat: anotherCall(plan, call), times: max - 1 },
      { ...call, expect: expectRejected(failure) },
    ]),
  ];
}

function rejectedRequestCases({ createCase, operation, plan, max, call, again, rejected }: RateTest): readonly Case[] {
  if (plan.call.body === undefined || !operation.responses.some(({ status }) => status === 400)) return [];
  return [
    createCase("rejected-count", "A request that is rejected for another reason counts, too", [
      { repeat: again, times: max - 1 },
      { ...call, body: [], expect: { status: 400 } },
      rejected,
    ]),
  ];
}

function tokenCases({ createCase, context, exhausted, rejected }: RateTest): readonly Case[] {
  if (!Object.hasOwn(context.settings.fixtures, "client")) return [];
  return [
    createCase("per-token", "Another token of the user shares the limit", [
      { make: "client", as: "client", fresh: true, by: { user: "eve" } },
      exhausted,
      { ...rejected, by: { token: { $get: "client#/token" } } },
    ]),
  ];
}

function perUserCase({ createCase, plan, call, exhausted, rejected }: RateTest): Case {
  return createCase("per-user", "Another user of the account has a separate limit", [
    { actor: { account: "own" }, as: "bob" },
    exhausted,
    rejected,
    ...anotherCall(plan, { ...call, by: { user: "bob" } }),
  ]);
}

/**
 * Cases of a suite that cannot create users: other requests of the run may have used a part of the window, so that only the last request has one
 * outcome.
 */
function usedWindowCases(test: RateTest): readonly Case[] {
  const { context, operation, failure, plan, max, window } = test;
  const call: CallStep = { ...plan.call, isImmediate: true };
  const { by: _by, ...rejected } = test.rejected;
  const status = [...successStatuses(operation), failure.status];
  const exceed: readonly Step[] = [
    { repeat: anotherCall(plan, { ...call, expect: { status } }), times: max },
    rejected,
  ];
  return [
    limitCase(context, test, {
      about: "one-past",
      title: `Of ${countOf(max + 1, "request")} within ${durationInWords(window)} the last one is rejected`,
      steps: exceed,
    }),
    limitCase(context, test, {
      about: "recovers",
      title: `After ${durationInWords(window)} requests are accepted again`,
      steps: [...exceed, { advance: `PT${window.seconds + 1}S` }, ...anotherCall(plan, call)],
    }),
  ];
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
