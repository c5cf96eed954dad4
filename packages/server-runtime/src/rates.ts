import type { Groups } from "@plumbline/validator-runtime/serving";
import { valuesOf, type Expression } from "./expressions.js";
import { nothingFound, type Facts } from "./facts.js";
import { isPending } from "./handlers.js";
import type { LimitStore, RateLimit } from "./limits.js";
import type { Counted, Turn } from "./turn.js";

/** A rate and its subject. Default: the caller's user. */
export interface Rate {
  readonly limit: RateLimit;
  readonly per?: Expression;
}

/** True if the rate can be counted before the request is decoded. */
export function isEarly({ per }: Rate): boolean {
  return per?.root !== "request";
}

interface Counting {
  readonly store: LimitStore;
  readonly general?: readonly RateLimit[] | undefined;
  /** The decoded input, for rates that depend on it. */
  readonly input?: Groups;
}

/** Counts a request by each of its rates, until it exceeds one. */
export async function countRates(
  rates: readonly Rate[],
  turn: Turn,
  { general = [], store, input = {} }: Counting,
): Promise<{ readonly refused?: Counted; readonly narrowest?: Counted }> {
  let narrowest: Counted | undefined;
  for (let index = 0; index < rates.length + general.length; index += 1) {
    const { limit, per } = rates[index] ?? { limit: general[index - rates.length] as RateLimit };
    const { id, max, windowSeconds } = limit;
    const hit = store.hit({ key: rateKey(id, per, { turn, input }), max, windowSeconds, now: turn.now });
    const tally = isPending(hit) ? await hit : hit;
    if (!tally.isAllowed) return { refused: { limit, tally } };
    if (narrowest === undefined || tally.remaining < narrowest.tally.remaining) narrowest = { limit, tally };
  }
  return narrowest === undefined ? {} : { narrowest };
}

/** The key of a rate: its limit and its subject. Default: the caller's user, or the address of an anonymous caller. */
export function rateKey(
  id: string,
  per: Expression | undefined,
  { turn, input }: { readonly turn: Turn; readonly input: Groups },
): string {
  const { caller } = turn;
  const whom = caller === undefined ? addressOf(turn) : textOf(caller.user);
  return `${id} ${per === undefined ? whom : keyOf(per, turn, input)}`;
}

function keyOf(per: Expression, turn: Turn, input: Groups): string {
  const facts: Facts = { caller: turn.caller, input, body: input["body"], target: undefined, refs: nothingFound };
  const [key] = valuesOf(per, facts);
  return key === undefined ? addressOf(turn) : textOf(key);
}

/** The subject of a request: the user, or the address of an anonymous caller. */
export function userOf(turn: Pick<Turn, "caller" | "address">): string {
  return turn.caller === undefined ? addressOf(turn) : textOf(turn.caller.user);
}

/** The prefix keeps an address apart from a user of the same name. */
function addressOf({ address = "" }: Pick<Turn, "address">): string {
  return `@${address}`;
}

/** Keeps 5 and "5" apart. */
function textOf(key: unknown): string {
  return typeof key === "string" ? `"${key}` : typeof key === "number" ? String(key) : JSON.stringify(key);
}
