import type { Call, Handlers } from "@cloud-compute/server";
import type { Call as RuntimeCall, Known } from "@plumbline/server-runtime";
import type { Stored } from "./resources.js";
import type { Caller, Work } from "./work.js";

/** What every handler is told beside its input. */
export interface Context extends Call {
  readonly caller: Caller | undefined;
  readonly work: Work;
}

/** A call with what it works with. What is seldom asked for is not made before it is: `{ ...call, work }` would make all of it. */
export class CallWithWork implements Context {
  readonly operation: string;
  readonly requestId: string;
  readonly now: number;
  readonly caller: Caller | undefined;
  readonly admission: Call["admission"];
  readonly work: Work;
  readonly #call: RuntimeCall;

  constructor(call: RuntimeCall, work: Work) {
    this.operation = call.operation;
    this.requestId = call.requestId;
    this.now = call.now;
    // What `authenticate` gave is what is here.
    this.caller = call.caller as Caller | undefined;
    this.admission = call.admission;
    this.work = work;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get address(): string | undefined {
    return this.#call.address;
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }
}

/** The handlers of an area, by the names of its operations. */
export type Area<Operation extends keyof Handlers> = Pick<Handlers<Context, Stored>, Operation>;

/** The context of an operation that admits nobody anonymous. */
export type KnownContext = Known<Context>;
