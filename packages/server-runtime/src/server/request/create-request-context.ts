import type { HttpRequest } from "../http/http-request.js";
import type { AuthInfo, RequestContext, Caller } from "./request-context.js";

/** The context of one request. The server sets the caller after authentication. */
export interface MutableRequestContext extends RequestContext {
  caller: Caller | undefined;
  auth: AuthInfo;
  /** A copy of the context with the properties that a transaction adds. */
  with(added: object): RequestContext;
}

const noAuth: AuthInfo = { requiredScopes: [] };

export function createRequestContext(
  received: HttpRequest,
  start: Pick<RequestContext, "operation" | "requestId" | "now">,
): MutableRequestContext {
  return new LiveRequestContext(received, start);
}

/** Accessors on the prototype create rare values on demand. An object with accessors of its own would cost microseconds a request. */
class LiveRequestContext implements MutableRequestContext {
  readonly operation: string;
  readonly requestId: string;
  readonly now: number;
  caller: Caller | undefined = undefined;
  auth: AuthInfo = noAuth;
  readonly #received: HttpRequest;

  constructor(
    received: HttpRequest,
    { operation, requestId, now }: Pick<RequestContext, "operation" | "requestId" | "now">,
  ) {
    this.#received = received;
    this.operation = operation;
    this.requestId = requestId;
    this.now = now;
  }

  with(added: object): RequestContext {
    const call = new LiveRequestContext(this.#received, this);
    call.caller = this.caller;
    call.auth = this.auth;
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
