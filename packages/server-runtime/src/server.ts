import type { Answer } from "./answer.js";
import type { Received } from "./received.js";

/** A status of what Node does not hand on as a request of the API. */
export type RejectedStatus = 400 | 405 | 408 | 413 | 417 | 431;

/** An API that answers. Adapters carry requests to it, each from its own kind of server. */
export interface Server {
  /** Milliseconds after a response in which the rest of a body may come that is not needed; as the adapter has it, unless it is here. */
  readonly unreadTimeoutMs?: number | undefined;
  /** Undefined: the request is not for this API, since its path is not below the base paths. Never rejects. */
  answer(received: Received): Promise<Answer> | undefined;
  /** What a request is told that is not for this API, where nobody else is there to answer it. */
  nowhere(received: Received): Answer;
  /** The response to what is not a request of the API: no HTTP, a head too large or too late, an unknown expectation, CONNECT. Closes the connection. */
  rejection?(status: RejectedStatus, reason?: string): Answer;
  /** What a failure of the adapter, or of what it carries, is told as; it is logged, and nothing of it is told. */
  failed(error: unknown, received: Received): Answer;
}
