import type { FaultCode } from "./faults.js";
import type { PublicFault } from "./public-fault.js";

/** An error response in place of the handler's response. */
export interface Refusal {
  readonly kind: "refusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, serialized as JSON. */
  readonly body: unknown;
  readonly faults: readonly PublicFault[];
  /** The name of the operation. Undefined if no operation has this path and method. */
  readonly operation?: string | undefined;
}

/** Returns replacements for parts of an error response. Undefined keeps the default. */
export type OnError<Request> = (
  refusal: Refusal,
  request: Request,
) => Partial<Pick<Refusal, "status" | "headers" | "body">> | undefined | void;

/** Creates an error response: `{"errors": [{"field": "label", "reason": "is required"}]}`. */
export function refusalOf({ all }: { readonly all: readonly PublicFault[] }): Refusal {
  const code = all[0]?.code ?? "rule";
  const status = all[0]?.in === "request" ? (statuses[code] ?? 400) : 400;
  const errors = all.map(({ field, reason }) => (field === undefined ? { reason } : { field, reason }));
  const headers: Record<string, string> = { "content-type": "application/json" };
  // The rest of the body will not be read.
  if (status === 413) headers["connection"] = "close";
  return { kind: "refusal", status, headers, body: { errors }, faults: all };
}

const statuses: Partial<Record<FaultCode, number>> = {
  path: 404,
  method: 405,
  accept: 406,
  size: 413,
  media: 415,
  encoding: 415,
};

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Applies the option `onError`, and serializes the body. */
export function told<Request>(refusal: Refusal, request: Request, onError: OnError<Request> | undefined): Told {
  const said = onError?.(refusal, request) ?? {};
  const { status, headers, body } = { ...refusal, ...said };
  return { status, headers, text: JSON.stringify(body) };
}
