import type { Call, Handlers } from "@cloud-compute/server";
import type { Known } from "@plumbline/server-runtime";
import type { Stored } from "./resources.js";
import type { Caller, Work } from "./work.js";

/** What every handler is told beside its input. */
export interface Context extends Call {
  readonly caller: Caller | undefined;
  readonly work: Work;
}

/** The handlers of an area, by the names of its operations. */
export type Area<Operation extends keyof Handlers> = Pick<Handlers<Context, Stored>, Operation>;

/** The context of an operation that admits nobody anonymous. */
export type KnownContext = Known<Context>;
