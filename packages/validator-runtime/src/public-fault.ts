import type { Fault, FaultCode } from "./faults.js";
import { reasonOf } from "./reasons.js";

/** One finding of validation in a request or a response, with its text. */
export interface PublicFault {
  readonly in: "body" | "path" | "query" | "header" | "cookie" | "request" | "reply";
  /** Location: a path such as `disks.0.size` in a body, or the name of a parameter. Absent: the value itself. */
  readonly field?: string;
  readonly code: FaultCode;
  readonly reason: string;
}

export type Place = PublicFault["in"];

/** Returns the text for a fault. Undefined keeps the default text. */
export type Reason = (fault: PublicFault, detail: Fault) => string | undefined;

export function publicFault(fault: Fault, place: Place, parameter?: string): PublicFault {
  const { code } = fault;
  const field = fieldOf(fault, place, parameter);
  const reason = reasonOf(fault);
  return field === "" ? { in: place, code, reason } : { in: place, field, code, reason };
}

function fieldOf({ path }: Fault, place: Place, parameter: string | undefined): string {
  if (parameter === undefined) return path.length === 1 ? String(path[0]) : path.join(".");
  // A header is one text, so a fault inside it has the header's name.
  return place === "header" || path.length === 0 ? parameter : `${parameter}.${path.join(".")}`;
}
