import type { ValidationIssue } from "../../http/index.js";

/**
 * A handler returned a response that the description does not document. The client receives a 500 without details.
 * The message has the operation, the status, and each invalid field with its reason.
 */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
  readonly code = "invalid-response";
  readonly operation: string;
  /** Undefined if the handler returned no response at all. */
  readonly status: number | undefined;
  readonly issues: readonly ValidationIssue[];

  constructor(operation: string, status: number | undefined, issues: readonly ValidationIssue[]) {
    const response = status === undefined ? "a response" : `response ${status}`;
    super(
      `The handler of ${operation} returned ${response}, which the description does not allow: ${issues.map(formatIssue).join("; ")}`,
    );
    this.operation = operation;
    this.status = status;
    this.issues = issues;
  }
}

/** Returns true for an `InvalidResponseError`, also for one of another copy of this package. */
export function isInvalidResponseError(error: unknown): error is InvalidResponseError {
  return error instanceof Error && "code" in error && error.code === "invalid-response";
}

function formatIssue({ field, code, reason }: ValidationIssue): string {
  if (field !== undefined) return `${field} ${reason}`;
  if (code === "required") return "it must have a body";
  return code === "status" || reason.startsWith("Content-Type") ? reason : `it ${reason}`;
}
