import type { PublicFault } from "@plumbline/validator-runtime";

/**
 * A handler gave a reply that the description does not have: a mistake of the program, and none of the client's, who is told of no more than a
 * failure. The message names the handler, the status and each field with its reason.
 */
export class BrokenReply extends Error {
  override readonly name = "BrokenReply";
  readonly code = "broken-reply";
  readonly operation: string;
  /** Undefined where there is no reply at all. */
  readonly status: number | undefined;
  readonly faults: readonly PublicFault[];

  constructor(operation: string, status: number | undefined, faults: readonly PublicFault[]) {
    const reply = status === undefined ? "a reply" : `a reply ${status}`;
    super(`${operation} gave ${reply} that breaks the description: ${faults.map(told).join("; ")}`);
    this.operation = operation;
    this.status = status;
    this.faults = faults;
  }
}

/** True for a BrokenReply, also of another copy of this package. */
export function isBrokenReply(error: unknown): error is BrokenReply {
  return error instanceof Error && "code" in error && error.code === "broken-reply";
}

function told({ field, code, reason }: PublicFault): string {
  if (field !== undefined) return `${field} ${reason}`;
  if (code === "required") return "it must have a body";
  return code === "status" || reason.startsWith("Content-Type") ? reason : `it ${reason}`;
}
