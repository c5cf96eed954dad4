import type { HttpResponse } from "../../server/index.js";

/** What is wrong with one field of a body. */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
}

/** A request that the controls cannot perform. */
export class ControlError extends Error {
  override readonly name = "ControlError";

  readonly status: number;
  readonly errors: readonly FieldError[];

  constructor(status: number, detail: string, errors: readonly FieldError[] = []) {
    super(detail);
    this.status = status;
    this.errors = errors;
  }
}

export function invalidField(field: string, reason: string): ControlError {
  return new ControlError(400, "The body has invalid fields.", [{ field, reason }]);
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  507: "Insufficient Storage",
};

/** An error response as RFC 9457 has it. */
export function problemResponse(status: number, detail: string, errors: readonly FieldError[] = []): HttpResponse {
  const body = { title: titles[status] ?? "Error", status, detail, ...(errors.length === 0 ? {} : { errors }) };
  return { status, headers: { "Content-Type": "application/problem+json" }, body: JSON.stringify(body) };
}
