import type { HttpResponse } from "../http/http-response.js";
import type { ServerDefinition } from "../server-definition.js";
import {
  isOperationError,
  RejectedRequestError,
  errorResponseFor,
  sharedErrorResponse,
  type ErrorResponse,
} from "../errors/errors.js";
import { isPromiseLike } from "../handlers.js";
import { BodyTimeoutError, isBodyEnd } from "../request/body-intake.js";
import { formatRateHeaders } from "../rate-limits/limits.js";
import type { LogEntry, BaseServerOptions } from "../options.js";
import type { OutcomeCounter } from "../rate-limits/outcome-limits.js";
import type { OperationPlan } from "../operation-plan.js";
import { ClientDisconnectedError, ContentTooLargeError, type HttpRequest } from "../http/http-request.js";
import type { Reservation } from "./response-memory.js";
import type { SerializedResponse } from "./responses.js";
import type { RateLimitState, MutableRequestContext } from "../request/create-request-context.js";
import { isUnavailable, type UnavailableError } from "../errors/unavailable-error.js";

/** What is known about a request when its response is built. */
export interface ResponseContext {
  readonly requestId: string;
  readonly received: Pick<HttpRequest, "method">;
  readonly plan?: OperationPlan;
  request?: MutableRequestContext | undefined;
  /** The rate with the fewest remaining requests. */
  rate?: RateLimitState | undefined;
  /** The memory that is reserved for the response. */
  reservation?: Reservation | undefined;
  /** Counts by outcome, and the effects of this request. */
  outcomes?: OutcomeCounter;
  effects?: readonly string[];
  /** The body of the handler's response. A stream has to be cancelled if it is not sent. */
  body?: unknown;
}

/** Carries an error response that a handler returned out of the transaction, which rolls back. */
export class UnsuccessfulResponseError extends Error {
  override readonly name = "UnsuccessfulResponseError";
  readonly written: SerializedResponse;

  constructor(written: SerializedResponse) {
    super(String(written.status));
    this.written = written;
  }
}

/** Builds responses from results and errors. */
export class ResponseBuilder {
  readonly #api: ServerDefinition;
  readonly #options: BaseServerOptions;

  constructor(api: ServerDefinition, options: BaseServerOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Builds the response to an error. Never throws. */
  fromError(error: unknown, context: ResponseContext): HttpResponse {
    try {
      return this.#responseFor(error, context);
    } catch (failure) {
      return this.internalError(failure, context);
    }
  }

  #responseFor(error: unknown, context: ResponseContext): HttpResponse {
    if (error instanceof UnsuccessfulResponseError) return this.withStandardHeaders(error.written, context);
    if (error instanceof RejectedRequestError) return this.errorResponse(error.response, context);
    if (error instanceof ContentTooLargeError) {
      const id = context.plan?.limits.bytes?.error;
      const errorResponse = id === undefined ? this.sharedError(413) : errorResponseFor(id, context.plan?.errors ?? {});
      return this.errorResponse(
        { ...errorResponse, headers: { ...errorResponse.headers, Connection: "close" } },
        context,
      );
    }
    if (isUnavailable(error)) return this.#unavailable(error, context);
    if (isBodyEnd(error)) {
      const errorResponse = this.sharedError(error instanceof BodyTimeoutError ? 408 : 503);
      return this.errorResponse(
        { ...errorResponse, headers: { "Retry-After": "5", ...errorResponse.headers, Connection: "close" } },
        context,
      );
    }
    if (!isOperationError(error)) return this.internalError(error, context);
    const errors = context.plan?.errors ?? this.#api.sharedErrors;
    if (Object.hasOwn(errors, error.id))
      return this.errorResponse(errorResponseFor(error.id, errors, error.detail), context);
    const undocumented = new TypeError(
      `${context.plan?.name ?? "The handler"} threw the undocumented error "${error.id}". Throw one that the description documents.`,
    );
    undocumented.cause = error;
    return this.internalError(undocumented, context);
  }

  #unavailable(error: UnavailableError, context: ResponseContext): HttpResponse {
    this.#logEntry(error, context, "warn");
    return this.errorResponse(
      { ...this.sharedError(503), headers: { "Retry-After": String(error.retryAfterSeconds) } },
      context,
    );
  }

  internalError(error: unknown, context: ResponseContext): HttpResponse {
    // A client that has disconnected gets no response, and its leaving is not an error.
    if (!(error instanceof ClientDisconnectedError)) this.#logEntry(error, context);
    return this.errorResponse(this.sharedError(500), context);
  }

  /** Logs an error that does not change the response. */
  logError(error: unknown, context: ResponseContext): void {
    this.#logEntry(error, context);
  }

  #logEntry(error: unknown, { requestId, plan }: ResponseContext, level: LogEntry["level"] = "error"): void {
    this.#writeLog({ level, message: messageOf(error), requestId, operation: plan?.name, error });
  }

  #writeLog(entry: LogEntry): void {
    const { log = logToConsole } = this.#options;
    const failed = (error: unknown): void => {
      logToConsole(entry);
      logToConsole({ ...entry, level: "error", message: "the option `log` failed", error });
    };
    try {
      const logging: unknown = log(entry);
      // A log that writes to a database or a queue may reject later. An unhandled rejection would end the process.
      if (isPromiseLike(logging)) logging.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }

  sharedError(status: Parameters<typeof sharedErrorResponse>[0]): ErrorResponse {
    return sharedErrorResponse(status, this.#api.sharedErrors, this.#api.sharedErrorByStatus);
  }

  errorResponse(errorResponse: ErrorResponse, context: ResponseContext): HttpResponse {
    const { headers = {} } = errorResponse;
    try {
      return this.withStandardHeaders(
        {
          status: errorResponse.status,
          type: this.#options.errorType ?? "application/json",
          body: this.#bodyOf(errorResponse),
          headers,
        },
        context,
      );
    } catch (error) {
      // The response cannot be formatted. The first error is logged already.
      this.#logEntry(error, context);
      const { status, errors } = this.sharedError(500);
      return this.withStandardHeaders(
        { status, type: "application/json", body: JSON.stringify({ errors }), headers: {} },
        context,
      );
    }
  }

  #bodyOf({ status, errors }: ErrorResponse): string {
    const { errorBody } = this.#options;
    const text = JSON.stringify(errorBody === undefined ? { errors } : errorBody({ status, errors })) as
      | string
      | undefined;
    if (text === undefined)
      throw new TypeError("errorBody: returned no JSON value. Return an object that JSON can serialize.");
    return text;
  }

  /** Adds the headers that every response has. */
  withStandardHeaders(
    { status, type, body, headers: own }: SerializedResponse,
    { requestId, received, plan, request, rate }: ResponseContext,
  ): HttpResponse {
    const names = this.#api.headerNames;
    const headers: Record<string, string> = { [names.requestId]: requestId };
    if (type !== undefined) headers["Content-Type"] = type;
    if (names.scopes !== undefined) headers[names.scopes] = request?.caller?.scopes ?? "unknown";
    if (names.acceptedScopes !== undefined && plan !== undefined) headers[names.acceptedScopes] = plan.acceptedScopes;
    if (rate !== undefined) {
      const { limit, remaining, reset } = formatRateHeaders(rate.result, rate.limit);
      if (names.limit !== undefined) headers[names.limit] = String(limit);
      if (names.remaining !== undefined) headers[names.remaining] = String(remaining);
      if (names.reset !== undefined) headers[names.reset] = String(reset);
    }
    Object.assign(headers, own);
    if (body === undefined) return { status, headers };
    if (received.method !== "HEAD") return { status, headers, body };
    if (typeof body === "string") headers["Content-Length"] = String(new TextEncoder().encode(body).length);
    else if (body instanceof Uint8Array) headers["Content-Length"] = String(body.length);
    else void body.cancel().catch(() => undefined);
    return { status, headers };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function logToConsole({ message, requestId, operation, error }: LogEntry): void {
  console.error(`${operation ?? "a request"} (${requestId}) failed: ${message}`, error);
}
