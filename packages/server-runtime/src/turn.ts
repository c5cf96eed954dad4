import type { Admission, Call, Caller } from "./call.js";
import type { RateLimit, Tally } from "./limits.js";
import type { Received } from "./received.js";

/** One request while it is answered: what handlers are told of it, and what its answer will say of it. */
export interface Turn extends Call {
  caller: Caller | undefined;
  admission: Admission;
}

/** A rate, and where it stands. */
export interface Counted {
  readonly limit: RateLimit;
  readonly tally: Tally;
}

/** All of it is its own, so that a context can be made by spreading it: `{ ...call, transaction }`. */
export function turnOf(
  received: Received,
  { operation, requestId, now }: Pick<Call, "operation" | "requestId" | "now">,
): Turn {
  return {
    operation,
    requestId,
    now,
    caller: undefined,
    admission: nothingWanted,
    // Asking for it costs a controller and a listener; most handlers do not.
    get signal() {
      return received.signal;
    },
    get address() {
      return received.address;
    },
    header: (name) => received.header(name),
  };
}

const nothingWanted: Admission = { wanted: [] };
