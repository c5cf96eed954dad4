import type { Fault, FaultCode } from "./faults.js";
import { reasonOf } from "./reasons.js";

/** One thing that is wrong with a request or a reply, as programs and people are told. */
export interface PublicFault {
  readonly in: "body" | "path" | "query" | "header" | "cookie" | "request" | "reply";
  /** Where in there: `disks.0.size` of a body; a parameter's name. Absent: all of it. */
  readonly field?: string;
  readonly code: FaultCode;
  readonly reason: string;
}

export type Place = PublicFault["in"];

/** What an API would rather say; undefined leaves the words as they are. */
export type Reason = (fault: PublicFault, detail: Fault) => string | undefined;

export function publicFault(fault: Fault, place: Place, parameter?: string): PublicFault {
  const { code } = fault;
  const field = fieldOf(fault, place, parameter);
  const reason = reasonOf(fault);
  return field === "" ? { in: place, code, reason } : { in: place, field, code, reason };
}

function fieldOf({ path }: Fault, place: Place, parameter: string | undefined): string {
  if (parameter === undefined) return path.length === 1 ? String(path[0]) : path.join(".");
  // A header is one text: what is wrong inside it is told under its name.
  return place === "header" || path.length === 0 ? parameter : `${parameter}.${path.join(".")}`;
}
