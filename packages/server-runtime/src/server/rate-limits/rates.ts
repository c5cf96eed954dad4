import type { InputGroups } from "../../http/index.js";
import { noRows, type EvaluationContext } from "../conditions/evaluation-context.js";
import { valuesOf, type Expression } from "../conditions/expressions.js";
import type { Awaitable } from "../handlers.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import type { RequestContext } from "../request/request-context.js";
import type { RateLimit, RateLimitState, RateLimitStore } from "./limits.js";

/** By whom and when a request is counted. */
export type RateSubject = Pick<RequestContext, "caller" | "address" | "now">;

/** A rate and its subject. Default: the caller's user. */
export interface CountedRate {
  readonly limit: RateLimit;
  readonly per?: Expression;
}

/** True if the rate can be counted before the request is decoded. */
export function isCountedBeforeDecoding({ per }: CountedRate): boolean {
  return per?.root !== "request";
}

/** The first exceeded rate, or the one with the fewest remaining requests. */
export interface CountedRates {
  readonly exceeded?: RateLimitState;
  readonly narrowest?: RateLimitState | undefined;
}

interface CountingContext {
  readonly store: RateLimitStore;
  /** The decoded input, for rates that depend on it. */
  readonly input?: InputGroups;
}

/** Counts a request by each of its rates, until it exceeds one. */
export function countRates(
  rates: readonly CountedRate[],
  context: RateSubject,
  { store, input = {} }: CountingContext,
): Awaitable<CountedRates> {
  let narrowest: RateLimitState | undefined;
  const exceeded = firstInTurn(rates, ({ limit, per }) => {
    const { id, max, windowSeconds } = limit;
    const hit = store.consume({
      key: rateKey(id, per, { context, input }),
      max,
      windowSeconds,
      now: context.now,
    });
    return andThen(hit, (result): CountedRates | undefined => {
      const state = { limit, result, now: context.now };
      if (!result.isAllowed) return { exceeded: state };
      if (narrowest === undefined || result.remaining < narrowest.result.remaining) narrowest = state;
      return undefined;
    });
  });
  return andThen(exceeded, (rejection) => rejection ?? { narrowest });
}

/** The key of a rate: its limit and its subject. Default: the caller's user, or the address of an anonymous caller. */
export function rateKey(
  id: string,
  per: Expression | undefined,
  { context, input }: { readonly context: RateSubject; readonly input: InputGroups },
): string {
  return `${id} ${per === undefined ? userOf(context) : expressionKey(per, context, input)}`;
}

function expressionKey(per: Expression, context: RateSubject, input: InputGroups): string {
  const facts: EvaluationContext = {
    caller: context.caller,
    input,
    body: input["body"],
    target: undefined,
    refs: noRows,
  };
  const [key] = valuesOf(per, facts);
  return key === undefined ? addressOf(context) : serializeKey(key);
}

/** The subject of a request: the user, or the address of an anonymous caller. */
export function userOf(context: Pick<RateSubject, "caller" | "address">): string {
  return context.caller === undefined ? addressOf(context) : serializeKey(context.caller.user);
}

/** The prefix keeps an address apart from a user of the same name. */
function addressOf({ address = "" }: Pick<RateSubject, "address">): string {
  return `@${address}`;
}

/** Keeps 5 and "5" apart. */
function serializeKey(key: unknown): string {
  return typeof key === "string" ? `"${key}` : typeof key === "number" ? String(key) : JSON.stringify(key);
}
