import type { Handlers, RequestContext } from "@cloud-compute/server";
import type { AuthenticatedContext } from "@plumbline/server-runtime";
import type { StoredRows } from "./server/resources.js";
import type { Caller, UnitOfWork } from "./unit-of-work.js";

/** What every handler gets besides its input. */
export interface Context extends RequestContext {
  readonly caller: Caller | undefined;
  readonly work: UnitOfWork;
}

/** The handlers of a tag, by the names of its operations. */
export type TagHandlers<Operation extends keyof Handlers> = Pick<Handlers<Context, StoredRows>, Operation>;

/** The context of an operation that requires a caller. */
export type KnownContext = AuthenticatedContext<Context>;
