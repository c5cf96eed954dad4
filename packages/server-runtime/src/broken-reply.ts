import type { PublicFault } from "@plumbline/validator-runtime";

/**
 * A handler returned a response that the description does not document. The client receives a 500 without details.
 * The message has the operation, the status, and each invalid field with its reason.
 */
export class BrokenReply extends Error {
  override readonly name = "BrokenReply";
  readonly code = "broken-reply";
  readonly operation: string;
  /** Undefined if the handler returned no response at all. */
  readonly status: number | undefined;
  readonly faults: readonly PublicFault[];

  constructor(operation: string, status: number | undefined, faults: readonly PublicFault[]) {
    const reply = status === undefined ? "a response" : `response ${status}`;
    super(
      `The handler of ${operation} returned ${reply}, which the description does not allow: ${faults.map(told).join("; ")}`,
    );
    this.operation = operation;
    this.status = status;
    this.faults = faults;
  }
}

/** Returns true for a `BrokenReply`, also for one of another copy of this package. */
export function isBrokenReply(error: unknown): error is BrokenReply {
  return error instanceof Error && "code" in error && error.code === "broken-reply";
}

function told({ field, code, reason }: PublicFault): string {
  if (field !== undefined) return `${field} ${reason}`;
  if (code === "required") return "it must have a body";
  return code === "status" || reason.startsWith("Content-Type") ? reason : `it ${reason}`;
}
