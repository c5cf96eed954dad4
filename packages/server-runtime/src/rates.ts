import { valuesOf, type Expression } from "./expressions.js";
import { nothingFound, type Facts } from "./facts.js";
import { isPending } from "./handlers.js";
import type { LimitStore, RateLimit } from "./limits.js";
import type { Counted, Turn } from "./turn.js";

/** Counts a request by every rate that it falls under, until one is exceeded. */
export async function countRates(
  rates: readonly { readonly limit: RateLimit; readonly per?: Expression }[],
  turn: Turn,
  { general = [], store }: { readonly general: readonly RateLimit[] | undefined; readonly store: LimitStore },
): Promise<{ readonly refused?: Counted; readonly narrowest?: Counted }> {
  // A user may be called like an address, and is counted apart.
  const whom = turn.caller === undefined ? { address: turn.address ?? "" } : { user: turn.caller.user };
  let narrowest: Counted | undefined;
  for (let index = 0; index < rates.length + general.length; index += 1) {
    const { limit, per } = rates[index] ?? { limit: general[index - rates.length] as RateLimit };
    const { id, max, windowSeconds } = limit;
    const key = per === undefined ? whom : keyOf(per, turn);
    const hit = store.hit({ key: `${id} ${JSON.stringify(key)}`, max, windowSeconds, now: turn.now });
    const tally = isPending(hit) ? await hit : hit;
    if (!tally.isAllowed) return { refused: { limit, tally } };
    if (narrowest === undefined || tally.remaining < narrowest.tally.remaining) narrowest = { limit, tally };
  }
  return narrowest === undefined ? {} : { narrowest };
}

function keyOf(per: Expression, turn: Turn): unknown {
  const facts: Facts = { caller: turn.caller, input: {}, body: undefined, target: undefined, refs: nothingFound };
  return valuesOf(per, facts)[0] ?? { address: turn.address ?? "" };
}
