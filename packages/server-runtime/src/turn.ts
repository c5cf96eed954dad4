import type { Admission, Call, Caller } from "./call.js";
import type { Tally, RateLimit } from "./limits.js";
import type { Plan } from "./plan.js";
import type { Received } from "./received.js";

/** One request while it is answered: what handlers are told of it, and what its answer will say of it. */
export class Turn implements Call {
  readonly operation: string;
  readonly requestId: string;
  readonly now: number;
  readonly #received: Received;
  caller: Caller | undefined = undefined;
  admission: Admission = nothingWanted;
  /** The rate that leaves the least. */
  rate: { readonly limit: RateLimit; readonly tally: Tally } | undefined = undefined;

  constructor(plan: Plan, received: Received, { requestId, now }: Begun) {
    this.operation = plan.name;
    this.#received = received;
    this.requestId = requestId;
    this.now = now;
  }

  get signal(): AbortSignal {
    return this.#received.signal;
  }

  get address(): string | undefined {
    return this.#received.address;
  }

  header(name: string): string | undefined {
    return this.#received.header(name);
  }
}

export interface Begun {
  readonly requestId: string;
  readonly now: number;
}

const nothingWanted: Admission = { wanted: [] };
