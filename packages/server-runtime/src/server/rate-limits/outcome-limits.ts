import type { InputGroups } from "../../http/index.js";
import { isOperationError, RejectedRequestError } from "../errors/errors.js";
import type {
  RateLimitHit,
  RateLimitStore,
  OperationLimits,
  OutcomeRate,
  RateLimit,
  RateLimitResult,
  RateLimitState,
} from "./limits.js";
import { rateKey, type RateSubject } from "./rates.js";

export type OutcomeStore = Required<RateLimitStore>;

/**
 * Rates that count requests by their outcome. A request counts when it begins, and is removed if it ends otherwise.
 * So concurrent requests cannot guess more often than the limit allows.
 */
export class OutcomeCounter {
  readonly #limits: OperationLimits;
  readonly #store: OutcomeStore;
  readonly #about: { readonly context: RateSubject; readonly input: InputGroups };
  readonly #begun: CountedHit[] = [];

  constructor(
    { outcomes, renewed }: Pick<OperationLimits, "outcomes" | "renewed">,
    store: OutcomeStore,
    about: { readonly context: RateSubject; readonly input: InputGroups },
  ) {
    this.#limits = { outcomes: outcomes ?? [], renewed: renewed ?? [] };
    this.#store = store;
    this.#about = about;
  }

  /** Counts the request before it is handled. Returns the exceeded rate if the request may not run. */
  async begin(): Promise<RateLimitState | undefined> {
    const { now } = this.#about.context;
    for (const rate of this.#limits.outcomes ?? []) {
      const { limit, per } = rate;
      const { max, windowSeconds } = limit;
      const hit: RateLimitHit = { key: rateKey(limit.id, per, this.#about), max, windowSeconds, now };
      const result = await this.#store.consume(hit);
      this.#begun.push({ rate, hit, result });
      if (!result.isAllowed && rate.errors.length > 0) return { limit, result, now };
    }
    return undefined;
  }

  /** The rate that a response with these effects exceeds. */
  exceededBy(effects: readonly string[]): RateLimitState | undefined {
    const exceeded = this.#begun.find(
      ({ rate, result }) => !result.isAllowed && rate.effects.some((each) => effects.includes(each)),
    );
    return exceeded && { limit: exceeded.rate.limit, result: exceeded.result, now: this.#about.context.now };
  }

  /** Removes what does not count. Returns the limits that this request has reached. */
  async end(ending: RequestOutcome): Promise<readonly RateLimit[]> {
    const reached: RateLimit[] = [];
    for (const { rate, hit, result } of this.#begun) {
      if (!result.isAllowed) continue;
      if (!isCounted(rate, ending)) await this.#store.undo(hit);
      else if (result.remaining === 0 && rate.isReached === true) reached.push(rate.limit);
    }
    for (const { limit, per, effects } of this.#limits.renewed ?? [])
      if (effects.some((each) => ending.effects.includes(each)))
        await this.#store.reset(rateKey(limit.id, per, this.#about));
    return reached;
  }
}

interface CountedHit {
  readonly rate: OutcomeRate;
  readonly hit: RateLimitHit;
  readonly result: RateLimitResult;
}

export interface RequestOutcome {
  readonly error?: string | undefined;
  readonly effects: readonly string[];
}

/** The id of the documented error that was thrown. */
export function errorIdOf(error: unknown): string | undefined {
  if (isOperationError(error)) return error.id;
  return error instanceof RejectedRequestError ? error.response.id : undefined;
}

/**
 * Adds the optional methods to a store.
 *
 * @throws TypeError for a store without `undo` or `reset`
 */
export function requireOutcomeStore(store: RateLimitStore): OutcomeStore {
  if (store.undo === undefined || store.reset === undefined)
    throw new TypeError(
      "Missing methods `undo` and `reset` of `limits.store`. A limit that counts requests by their outcome requires them.",
    );
  return {
    consume: (hit) => store.consume(hit),
    undo: (hit) => store.undo?.(hit),
    reset: (key) => store.reset?.(key),
  };
}

function isCounted({ errors, effects }: OutcomeRate, ending: RequestOutcome): boolean {
  return (
    (ending.error !== undefined && errors.includes(ending.error)) ||
    effects.some((each) => ending.effects.includes(each))
  );
}
