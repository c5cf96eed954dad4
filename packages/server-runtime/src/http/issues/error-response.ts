import type { IssueCode } from "./issues.js";
import type { ValidationIssue } from "./validation-issue.js";

/** An error response in place of the handler's response. */
export interface ErrorResponse {
  readonly kind: "error";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, serialized as JSON. */
  readonly body: unknown;
  readonly issues: readonly ValidationIssue[];
  /** The name of the operation. Undefined if no operation has this path and method. */
  readonly operation?: string | undefined;
}

/** Returns replacements for parts of an error response. Undefined keeps the default. */
export type OnError<Request> = (
  errorResponse: ErrorResponse,
  request: Request,
) => Partial<Pick<ErrorResponse, "status" | "headers" | "body">> | undefined | void;

/** Creates an error response: `{"errors": [{"field": "label", "reason": "is required"}]}`. */
export function createErrorResponse({ all }: { readonly all: readonly ValidationIssue[] }): ErrorResponse {
  const code = all[0]?.code ?? "rule";
  const status = all[0]?.in === "request" ? (statuses[code] ?? 400) : 400;
  const errors = all.map(({ field, reason }) => (field === undefined ? { reason } : { field, reason }));
  const headers: Record<string, string> = { "content-type": "application/json" };
  // The rest of the body will not be read.
  if (status === 413) headers["connection"] = "close";
  return { kind: "error", status, headers, body: { errors }, issues: all };
}

const statuses: Partial<Record<IssueCode, number>> = {
  credential: 401,
  scope: 403,
  path: 404,
  method: 405,
  accept: 406,
  size: 413,
  media: 415,
  encoding: 415,
};

export interface SerializedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How a validator forms its error responses. */
export interface ErrorOptions<Request> {
  /**
   * Forms each error response, such as `toProblemDetails`.
   *
   * @defaultValue `{"errors": [{"field", "reason"}]}`, or problem details if the description has them
   */
  readonly errorFormat?: ((errorResponse: ErrorResponse) => ErrorResponse) | undefined;
  /** Replaces the status, headers or body of an error response, also of the 500 of `validateResponses: "enforce"`. */
  readonly onError?: OnError<Request>;
}

/** Applies the options `errorFormat` and `onError`, and serializes the body. */
export function serializeError<Request>(
  errorResponse: ErrorResponse,
  request: Request,
  { errorFormat, onError }: ErrorOptions<Request>,
): SerializedError {
  const formed = errorFormat === undefined ? errorResponse : errorFormat(errorResponse);
  const replaced = onError?.(formed, request) ?? {};
  const { status, headers, body } = { ...formed, ...replaced };
  return { status, headers, text: JSON.stringify(body) };
}
