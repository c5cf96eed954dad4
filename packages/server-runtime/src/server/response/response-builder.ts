import { problemMediaType } from "../../http/index.js";
import {
  commonErrorBody,
  documentedStatus,
  fillErrorBody,
  type ErrorBodies,
  type FilledErrorBody,
} from "../errors/error-bodies.js";
import {
  isOperationError,
  RejectedRequestError,
  errorResponseFor,
  sharedErrorResponse,
  type UnformattedError,
} from "../errors/errors.js";
import { isNotFound } from "../errors/not-found-error.js";
import { isNotImplemented } from "../errors/not-implemented-error.js";
import { locatedErrors, problemDetailsOf } from "../errors/problem-details.js";
import { isUnavailable, type UnavailableError } from "../errors/unavailable-error.js";
import { isPromiseLike } from "../handlers.js";
import { ClientDisconnectedError, ContentTooLargeError } from "../http/http-request.js";
import type { HttpResponse } from "../http/http-response.js";
import type { LogEntry, BaseServerOptions } from "../options.js";
import { formatRateHeaders, type RateHeader, type RateLimitState } from "../rate-limits/limits.js";
import { BodyTimeoutError, isBodyEnd } from "../request/body-intake.js";
import type { IncomingRequest } from "../request/incoming-request.js";
import type { Caller } from "../request/request-context.js";
import { ownEntry, type ServerDefinition } from "../server-definition.js";
import { addDeprecationHeaders } from "./deprecation.js";
import { withErrors } from "./response-errors.js";
import type { SerializedResponse } from "./responses.js";

/** Carries an error response that a handler returned out of the transaction, which rolls back. */
export class UnsuccessfulResponseError extends Error {
  override readonly name = "UnsuccessfulResponseError";
  readonly written: SerializedResponse;

  constructor(written: SerializedResponse) {
    super(String(written.status));
    this.written = written;
  }
}

/** What the steps of a request have found out for the headers of its response. */
interface HeaderValues {
  readonly caller: Caller | undefined;
  /** The rate with the fewest remaining requests. */
  readonly rate: RateLimitState | undefined;
}

/** Builds responses from results and errors. */
export class ResponseBuilder {
  readonly #api: ServerDefinition;
  readonly #options: BaseServerOptions;
  /** The bodies of requests that no operation has, by status. */
  readonly #commonBodies = new Map<number, ErrorBodies[string]>();

  constructor(api: ServerDefinition, options: BaseServerOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Builds the response to an error. Never throws. */
  fromError(error: unknown, request: IncomingRequest, evaluation?: HeaderValues): HttpResponse {
    if (!(error instanceof UnsuccessfulResponseError)) request.observation?.noteError(error);
    try {
      return this.#responseFor(error, request, evaluation);
    } catch (failure) {
      return this.internalError(failure, request, evaluation);
    }
  }

  #responseFor(error: unknown, request: IncomingRequest, evaluation?: HeaderValues): HttpResponse {
    if (error instanceof UnsuccessfulResponseError) return this.withStandardHeaders(error.written, request, evaluation);
    if (error instanceof RejectedRequestError) return this.errorResponse(error.response, request, evaluation);
    if (error instanceof ContentTooLargeError) {
      const id = request.plan?.limits.bytes?.error;
      const errorResponse = id === undefined ? this.sharedError(413) : errorResponseFor(id, request.plan?.errors ?? {});
      return this.errorResponse(
        { ...errorResponse, headers: { ...errorResponse.headers, Connection: "close" } },
        request,
        evaluation,
      );
    }
    if (isUnavailable(error)) return this.#unavailable(error, request, evaluation);
    if (isNotFound(error)) return this.errorResponse(this.sharedError(404), request, evaluation);
    if (isNotImplemented(error)) {
      this.#logEntry(error, request, "warn");
      return this.errorResponse(this.sharedError(501), request, evaluation);
    }
    if (isBodyEnd(error)) {
      const errorResponse = this.sharedError(error instanceof BodyTimeoutError ? 408 : 503);
      return this.errorResponse(
        { ...errorResponse, headers: { "Retry-After": "5", ...errorResponse.headers, Connection: "close" } },
        request,
        evaluation,
      );
    }
    if (!isOperationError(error)) return this.internalError(error, request, evaluation);
    const errors = request.plan?.errors ?? this.#api.sharedErrors;
    if (Object.hasOwn(errors, error.id))
      return this.errorResponse(errorResponseFor(error.id, errors, error.detail), request, evaluation);
    const undocumented = new TypeError(
      `${request.plan?.name ?? "The handler"} threw the undocumented error "${error.id}". Throw one that the description documents.`,
    );
    undocumented.cause = error;
    return this.internalError(undocumented, request, evaluation);
  }

  #unavailable(error: UnavailableError, request: IncomingRequest, evaluation?: HeaderValues): HttpResponse {
    this.#logEntry(error, request, "warn");
    return this.errorResponse(
      { ...this.sharedError(503), headers: { "Retry-After": String(error.retryAfterSeconds) } },
      request,
      evaluation,
    );
  }

  internalError(error: unknown, request: IncomingRequest, evaluation?: HeaderValues): HttpResponse {
    // A client that has disconnected gets no response, and its leaving is not an error.
    if (!(error instanceof ClientDisconnectedError)) this.#logEntry(error, request);
    return this.errorResponse(this.sharedError(500), request, evaluation);
  }

  /** Logs an error that does not change the response. */
  logError(error: unknown, request: IncomingRequest): void {
    this.#logEntry(error, request);
  }

  #logEntry(error: unknown, { requestId, plan }: IncomingRequest, level: LogEntry["level"] = "error"): void {
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

  sharedError(status: Parameters<typeof sharedErrorResponse>[0]): UnformattedError {
    return sharedErrorResponse(status, this.#api.sharedErrors, this.#api.sharedErrorByStatus);
  }

  errorResponse(errorResponse: UnformattedError, request: IncomingRequest, evaluation?: HeaderValues): HttpResponse {
    const { headers = {} } = errorResponse;
    request.observation?.noteResponse(errorResponse);
    try {
      const { status, mediaType, body } = this.#bodyOf(errorResponse, request);
      const response = this.withStandardHeaders(
        { status, type: this.#options.errorType ?? mediaType, body, headers },
        request,
        evaluation,
      );
      return withErrors(response, errorResponse.errors);
    } catch (error) {
      // The response cannot be formatted. The first error is logged already.
      this.#logEntry(error, request);
      const { status, errors } = this.sharedError(500);
      return this.withStandardHeaders(
        { status, type: "application/json", body: JSON.stringify({ errors }), headers: {} },
        request,
        evaluation,
      );
    }
  }

  #bodyOf(
    { status: errorStatus, ...errorResponse }: UnformattedError,
    { plan, requestId }: IncomingRequest,
  ): FilledErrorBody & { readonly body: string } {
    const { errors } = errorResponse;
    const { errorBody } = this.#options;
    const { errorBodies, problemDetails, sharedErrorByStatus } = this.#api;
    const documented = plan === undefined ? this.#commonBody(errorStatus) : ownEntry(errorBodies ?? {}, plan.name);
    const status = plan === undefined ? errorStatus : documentedStatus(errorStatus, sharedErrorByStatus, documented);
    if (errorBody === undefined && problemDetails !== undefined) {
      const operation = plan?.operation.definition;
      const problem = problemDetailsOf({ ...errorResponse, status }, { requestId, operation }, problemDetails);
      return { status, mediaType: problemMediaType, body: JSON.stringify(problem) };
    }
    if (errorBody === undefined && errorBodies !== undefined) {
      const entries = locatedErrors(errorResponse, plan?.operation.definition);
      const filled = fillErrorBody({ status, errors, entries }, documented);
      return { ...filled, body: JSON.stringify(filled.body) };
    }
    const text = JSON.stringify(errorBody === undefined ? { errors } : errorBody({ status, errors })) as
      | string
      | undefined;
    if (text === undefined)
      throw new TypeError("errorBody: returned no JSON value. Return an object that JSON can serialize.");
    return { status, mediaType: "application/json", body: text };
  }

  #commonBody(status: number): ErrorBodies[string] {
    const known = this.#commonBodies.get(status) ?? commonErrorBody(status, this.#api.errorBodies ?? {});
    this.#commonBodies.set(status, known);
    return known;
  }

  /** Adds the headers that every response has. */
  withStandardHeaders(
    { status, type, body, headers: documentedHeaders }: SerializedResponse,
    { requestId, received, plan }: IncomingRequest,
    evaluation?: HeaderValues,
  ): HttpResponse {
    const names = this.#api.headerNames;
    const rate = evaluation?.rate;
    const headers = Object.create(null) as Record<string, string>; // one may be named __proto__
    headers[names.requestId] = requestId;
    if (type !== undefined) headers["Content-Type"] = type;
    const scopes = evaluation?.caller?.scopes ?? names.noScopes;
    if (names.scopes !== undefined && scopes !== undefined) headers[names.scopes] = scopes;
    if (names.acceptedScopes !== undefined && plan !== undefined) headers[names.acceptedScopes] = plan.acceptedScopes;
    for (const [role, value] of Object.entries(rate === undefined ? {} : formatRateHeaders(rate))) {
      const name = names[role as RateHeader];
      if (name !== undefined) headers[name] = value;
    }
    Object.assign(headers, documentedHeaders);
    if (plan?.deprecation !== undefined) addDeprecationHeaders(headers, plan.deprecation);
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
