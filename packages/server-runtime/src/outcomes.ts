import type { Groups } from "@plumbline/validator-runtime/serving";
import { isRefused, RefusedWith } from "./errors.js";
import type { Hit, LimitStore, OperationLimits, OutcomeRate, RateLimit, Tally } from "./limits.js";
import { rateKey } from "./rates.js";
import type { Counted, Turn } from "./turn.js";

export type OutcomeStore = Required<LimitStore>;

/**
 * Rates that count requests by their outcome. A request counts when it begins, and is removed if it ends otherwise.
 * So concurrent requests cannot guess more often than the limit allows.
 */
export class Outcomes {
  readonly #limits: OperationLimits;
  readonly #store: OutcomeStore;
  readonly #about: { readonly turn: Turn; readonly input: Groups };
  readonly #begun: Begun[] = [];

  constructor(
    { outcomes, renewed }: Pick<OperationLimits, "outcomes" | "renewed">,
    store: OutcomeStore,
    about: { readonly turn: Turn; readonly input: Groups },
  ) {
    this.#limits = { outcomes: outcomes ?? [], renewed: renewed ?? [] };
    this.#store = store;
    this.#about = about;
  }

  /** Counts the request before it is handled. Returns the exceeded rate if the request may not run. */
  async begin(): Promise<Counted | undefined> {
    const { now } = this.#about.turn;
    for (const rate of this.#limits.outcomes ?? []) {
      const { limit, per } = rate;
      const { max, windowSeconds } = limit;
      const hit: Hit = { key: rateKey(limit.id, per, this.#about), max, windowSeconds, now };
      const tally = await this.#store.hit(hit);
      this.#begun.push({ rate, hit, tally });
      if (!tally.isAllowed && rate.errors.length > 0) return { limit, tally };
    }
    return undefined;
  }

  /** The rate that a response with these effects exceeds. */
  exceededBy(effects: readonly string[]): Counted | undefined {
    const found = this.#begun.find(
      ({ rate, tally }) => !tally.isAllowed && rate.effects.some((each) => effects.includes(each)),
    );
    return found && { limit: found.rate.limit, tally: found.tally };
  }

  /** Removes what does not count. Returns the limits that this request has reached. */
  async end(ending: Ending): Promise<readonly RateLimit[]> {
    const reached: RateLimit[] = [];
    for (const { rate, hit, tally } of this.#begun) {
      if (!tally.isAllowed) continue;
      if (!isCounted(rate, ending)) await this.#store.undo(hit);
      else if (tally.remaining === 0 && rate.isReached === true) reached.push(rate.limit);
    }
    for (const { limit, per, effects } of this.#limits.renewed ?? [])
      if (effects.some((each) => ending.effects.includes(each)))
        await this.#store.forget(rateKey(limit.id, per, this.#about));
    return reached;
  }
}

interface Begun {
  readonly rate: OutcomeRate;
  readonly hit: Hit;
  readonly tally: Tally;
}

export interface Ending {
  readonly error?: string | undefined;
  readonly effects: readonly string[];
}

/** The id of the documented error that was thrown. */
export function failureIdOf(error: unknown): string | undefined {
  if (isRefused(error)) return error.id;
  return error instanceof RefusedWith ? error.refusal.id : undefined;
}

/**
 * Adds the optional methods to a store.
 *
 * @throws TypeError for a store without `undo` or `forget`
 */
export function outcomeStore(store: LimitStore): OutcomeStore {
  if (store.undo === undefined || store.forget === undefined)
    throw new TypeError(
      "Missing methods `undo` and `forget` of `limits.store`. A limit that counts requests by their outcome requires them.",
    );
  return {
    hit: (hit) => store.hit(hit),
    undo: (hit) => store.undo?.(hit),
    forget: (key) => store.forget?.(key),
  };
}

function isCounted({ errors, effects }: OutcomeRate, ending: Ending): boolean {
  return (
    (ending.error !== undefined && errors.includes(ending.error)) ||
    effects.some((each) => ending.effects.includes(each))
  );
}
