import type { Admission, Call, Caller } from "./call.js";
import type { RateLimit, Tally } from "./limits.js";
import type { Received } from "./received.js";

/** The context of one request. The server sets the caller after authentication. */
export interface Turn extends Call {
  caller: Caller | undefined;
  admission: Admission;
  /** A copy of the context with the properties that a transaction adds. */
  with(added: object): Call;
}

/** A rate and its current count. */
export interface Counted {
  readonly limit: RateLimit;
  readonly tally: Tally;
}

const nothingWanted: Admission = { wanted: [] };

export function turnOf(received: Received, begun: Pick<Call, "operation" | "requestId" | "now">): Turn {
  return new Turned(received, begun);
}

/** Accessors on the prototype create rare values on demand. An object with accessors of its own would cost microseconds a request. */
class Turned implements Turn {
  readonly operation: string;
  readonly requestId: string;
  readonly now: number;
  caller: Caller | undefined = undefined;
  admission: Admission = nothingWanted;
  readonly #received: Received;

  constructor(received: Received, { operation, requestId, now }: Pick<Call, "operation" | "requestId" | "now">) {
    this.#received = received;
    this.operation = operation;
    this.requestId = requestId;
    this.now = now;
  }

  with(added: object): Call {
    const call = new Turned(this.#received, this);
    call.caller = this.caller;
    call.admission = this.admission;
    return Object.assign(call, added);
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
