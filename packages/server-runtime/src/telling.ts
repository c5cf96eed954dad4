import type { Answer } from "./answer.js";
import type { ServedApi } from "./api.js";
import { isRefused, RefusedWith, refusalOf, sharedRefusal, type Refusal } from "./errors.js";
import { isPending } from "./handlers.js";
import { BodyTimeoutError, isBodyEnd } from "./intake.js";
import { rateHeaders } from "./limits.js";
import type { LogEntry, ServeOptions } from "./options.js";
import type { Outcomes } from "./outcomes.js";
import type { Plan } from "./plan.js";
import { ClientLeft, TooLarge, type Received } from "./received.js";
import type { Reservation } from "./response-memory.js";
import type { Written } from "./replies.js";
import type { Counted, Turn } from "./turn.js";
import { isUnavailable, type UnavailableError } from "./unavailable.js";

/** What is known about a request when its response is built. */
export interface AroundAnswer {
  readonly requestId: string;
  readonly received: Pick<Received, "method">;
  readonly plan?: Plan;
  turn?: Turn | undefined;
  /** The rate with the fewest remaining requests. */
  rate?: Counted | undefined;
  /** The memory that is reserved for the response. */
  reservation?: Reservation | undefined;
  /** Counts by outcome, and the effects of this request. */
  outcomes?: Outcomes;
  effects?: readonly string[];
  /** The body of the handler's response. A stream has to be cancelled if it is not sent. */
  body?: unknown;
}

/** Carries an error response that a handler returned out of the transaction, which rolls back. */
export class Returned extends Error {
  override readonly name = "Returned";
  readonly written: Written;

  constructor(written: Written) {
    super(String(written.status));
    this.written = written;
  }
}

/** Builds responses from results and errors. */
export class Telling {
  readonly #api: ServedApi;
  readonly #options: ServeOptions;

  constructor(api: ServedApi, options: ServeOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Builds the response to an error. Never throws. */
  told(error: unknown, around: AroundAnswer): Answer {
    try {
      return this.#answerTo(error, around);
    } catch (failure) {
      return this.failure(failure, around);
    }
  }

  #answerTo(error: unknown, around: AroundAnswer): Answer {
    if (error instanceof Returned) return this.sent(error.written, around);
    if (error instanceof RefusedWith) return this.refuse(error.refusal, around);
    if (error instanceof TooLarge) {
      const id = around.plan?.limits.bytes?.error;
      const refusal = id === undefined ? this.shared(413) : refusalOf(id, around.plan?.failures ?? {});
      return this.refuse({ ...refusal, headers: { ...refusal.headers, Connection: "close" } }, around);
    }
    if (isUnavailable(error)) return this.#unavailable(error, around);
    if (isBodyEnd(error)) {
      const refusal = this.shared(error instanceof BodyTimeoutError ? 408 : 503);
      return this.refuse(
        { ...refusal, headers: { "Retry-After": "5", ...refusal.headers, Connection: "close" } },
        around,
      );
    }
    if (!isRefused(error)) return this.failure(error, around);
    const failures = around.plan?.failures ?? this.#api.sharedFailures;
    if (Object.hasOwn(failures, error.id)) return this.refuse(refusalOf(error.id, failures, error.detail), around);
    const undescribed = new TypeError(
      `${around.plan?.name ?? "The handler"} threw the undocumented error "${error.id}". Throw one that the description documents.`,
    );
    undescribed.cause = error;
    return this.failure(undescribed, around);
  }

  #unavailable(error: UnavailableError, around: AroundAnswer): Answer {
    this.#tell(error, around, "warn");
    return this.refuse({ ...this.shared(503), headers: { "Retry-After": String(error.retryAfterSeconds) } }, around);
  }

  failure(error: unknown, around: AroundAnswer): Answer {
    // A client that has disconnected gets no response, and its leaving is not an error.
    if (!(error instanceof ClientLeft)) this.#tell(error, around);
    return this.refuse(this.shared(500), around);
  }

  /** Logs an error that does not change the response. */
  report(error: unknown, around: AroundAnswer): void {
    this.#tell(error, around);
  }

  #tell(error: unknown, { requestId, plan }: AroundAnswer, level: LogEntry["level"] = "error"): void {
    this.#log({ level, message: messageOf(error), requestId, operation: plan?.name, error });
  }

  #log(entry: LogEntry): void {
    const { log = logToConsole } = this.#options;
    const failed = (error: unknown): void => {
      logToConsole(entry);
      logToConsole({ ...entry, level: "error", message: "the option `log` failed", error });
    };
    try {
      const logging: unknown = log(entry);
      // A log that writes to a database or a queue may reject later. An unhandled rejection would end the process.
      if (isPending(logging)) logging.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }

  shared(status: Parameters<typeof sharedRefusal>[0]): Refusal {
    return sharedRefusal(status, this.#api.sharedFailures, this.#api.byStatus);
  }

  refuse(refusal: Refusal, around: AroundAnswer): Answer {
    const { headers = {} } = refusal;
    try {
      return this.sent(
        {
          status: refusal.status,
          type: this.#options.errorType ?? "application/json",
          body: this.#bodyOf(refusal),
          headers,
        },
        around,
      );
    } catch (error) {
      // The response cannot be formatted. The first error is logged already.
      this.#tell(error, around);
      const { status, errors } = this.shared(500);
      return this.sent({ status, type: "application/json", body: JSON.stringify({ errors }), headers: {} }, around);
    }
  }

  #bodyOf({ status, errors }: Refusal): string {
    const { errorBody } = this.#options;
    const text = JSON.stringify(errorBody === undefined ? { errors } : errorBody({ status, errors })) as
      | string
      | undefined;
    if (text === undefined)
      throw new TypeError("errorBody: returned no JSON value. Return an object that JSON can serialize.");
    return text;
  }

  /** Adds the headers that every response has. */
  sent({ status, type, body, headers: own }: Written, { requestId, received, plan, turn, rate }: AroundAnswer): Answer {
    const names = this.#api.headers;
    const headers: Record<string, string> = { [names.requestId]: requestId };
    if (type !== undefined) headers["Content-Type"] = type;
    if (names.scopes !== undefined) headers[names.scopes] = turn?.caller?.scopes ?? "unknown";
    if (names.acceptedScopes !== undefined && plan !== undefined) headers[names.acceptedScopes] = plan.accepted;
    if (rate !== undefined) {
      const { limit, remaining, reset } = rateHeaders(rate.tally, rate.limit);
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
