import { valuesOf, type Expression } from "./expressions.js";
import { nothingFound, type Facts } from "./facts.js";
import type { LimitStore, RateLimit } from "./limits.js";
import type { Counted, Turn } from "./turn.js";

/** Counts a request by every rate that it falls under, until one is exceeded. */
export async function countRates(
  rates: readonly { readonly limit: RateLimit; readonly per?: Expression }[],
  turn: Turn,
  { general = [], store }: { readonly general: readonly RateLimit[] | undefined; readonly store: LimitStore },
): Promise<{ readonly refused?: Counted; readonly narrowest?: Counted }> {
  const whom = turn.caller?.user ?? turn.address ?? "";
  const all = [
    ...rates.map(({ limit, per }) => ({ limit, key: per === undefined ? whom : keyOf(per, turn) })),
    ...general.map((limit) => ({ limit, key: whom })),
  ];
  let narrowest: Counted | undefined;
  for (const { limit, key } of all) {
    const { id, max, windowSeconds } = limit;
    const hit = { key: `${id} ${JSON.stringify(key)}`, max, windowSeconds, now: turn.now };
    const counted = store.hit(hit);
    const tally = counted instanceof Promise ? await counted : counted;
    if (!tally.isAllowed) return { refused: { limit, tally } };
    if (narrowest === undefined || tally.remaining < narrowest.tally.remaining) narrowest = { limit, tally };
  }
  return narrowest === undefined ? {} : { narrowest };
}

function keyOf(per: Expression, turn: Turn): unknown {
  const facts: Facts = { caller: turn.caller, input: {}, body: undefined, target: undefined, refs: nothingFound };
  return valuesOf(per, facts)[0] ?? turn.address ?? "";
}
