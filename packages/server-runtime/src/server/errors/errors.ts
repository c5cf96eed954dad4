import type { ValidationIssue } from "../../http/index.js";

/** A documented error. */
export interface ErrorDefinition {
  readonly status: number;
  /** The field that the error is about. Null: no field. Absent: the field that broke the rule, such as an item of a list. */
  readonly field?: string | null;
  /** The text for people. */
  readonly reason: string;
  /** True if the same request may succeed later. */
  readonly retry?: true;
}

/** Documented errors by their ids. */
export type ErrorDefinitions = Readonly<Record<string, ErrorDefinition>>;

/** What a handler can add to a documented error. */
export interface OperationErrorOptions {
  /** Location in the request, such as `configs.0`. */
  readonly field?: string;
  /** Replaces the documented text. */
  readonly reason?: string;
  /** Whole seconds after which the client may retry. Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

const code = "plumbline/operation-error";

/**
 * A documented error of an operation. A handler throws it; the server responds as the description says, and the transaction is rolled back.
 *
 * @example
 * throw new OperationError("too-many-clones", { retryAfterSeconds: 60 });
 */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly code: typeof code = code;
  /** The id of the documented error, such as `too-many-clones`. */
  readonly id: string;
  readonly detail: OperationErrorOptions;

  constructor(id: string, detail: OperationErrorOptions = {}) {
    super(`operation error: ${id}${detail.field === undefined ? "" : ` (${detail.field})`}`);
    this.id = id;
    this.detail = detail;
  }
}

/** Returns true for an `OperationError`, also for one of another copy of this package. */
export function isOperationError(error: unknown): error is OperationError {
  return error instanceof Error && (error as Partial<OperationError>).code === code;
}

/** One entry of an error response. */
export interface ErrorEntry {
  readonly field?: string;
  readonly reason: string;
}

/** An error response, before it is formatted. */
export interface UnformattedError {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  /** What validation has found, with locations. `errors` are its entries. */
  readonly issues?: readonly ValidationIssue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the documented error, if it is one. */
  readonly id?: string;
  /** The id of the limit that the request has reached. */
  readonly limit?: string | undefined;
}

/** Carries an error response out of a transaction, which rolls back. */
export class RejectedRequestError extends Error {
  override readonly name = "RejectedRequestError";
  readonly response: UnformattedError;

  constructor(errorResponse: UnformattedError) {
    super(errorResponse.id ?? String(errorResponse.status));
    this.response = errorResponse;
  }
}

/** The error response for a documented error, with `Retry-After` if the same request may succeed later. */
export function errorResponseFor(
  id: string,
  errors: ErrorDefinitions,
  detail: OperationErrorOptions = {},
): UnformattedError {
  const error = Object.hasOwn(errors, id) ? errors[id] : undefined;
  if (error === undefined) throw new TypeError(`Unknown error id "${id}". Use an id that the description documents.`);
  const { status, field: about, reason, retry } = error;
  const field = detail.field ?? (about === null || about?.includes("$") === true ? undefined : about);
  const text = detail.reason ?? reason;
  const wait = detail.retryAfterSeconds ?? (retry === true ? defaultRetryAfterSeconds : undefined);
  return {
    id,
    status,
    errors: [field === undefined ? { reason: text } : { field, reason: text }],
    ...(wait === undefined ? {} : { headers: { "Retry-After": String(wait) } }),
  };
}

/** The shared error of a status. The text of HTTP if the description documents none. */
export function sharedErrorResponse(
  status: keyof typeof defaultReasons,
  errors: ErrorDefinitions,
  shared: ErrorIdByStatus,
): UnformattedError {
  const id = shared[status];
  return id === undefined ? { status, errors: [{ reason: defaultReasons[status] }] } : errorResponseFor(id, errors);
}

/** The first error of each status that every operation shares. */
export type ErrorIdByStatus = Readonly<Partial<Record<number, string>>>;

/** Formats validation issues as entries of an error response. */
export function toErrorEntries(issues: readonly ValidationIssue[]): readonly ErrorEntry[] {
  return issues.map(({ field, reason }) => (field === undefined ? { reason } : { field, reason }));
}

/** Seconds after which a client may retry if the server does not know when the request could succeed. */
const defaultRetryAfterSeconds = 5;

const defaultReasons = {
  400: "The request is not valid",
  401: "A credential is required",
  403: "Not permitted",
  404: "Not found",
  405: "The method is not allowed",
  406: "None of the accepted media types is available",
  408: "The request did not arrive in time",
  413: "The body is too large",
  415: "The media type is not supported",
  417: "The expectation cannot be met",
  429: "Too many requests",
  431: "The headers are too large",
  500: "Internal server error",
  501: "Not implemented",
  503: "Service unavailable",
} as const;
