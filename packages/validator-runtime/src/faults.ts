/** One thing that is wrong with a value. Compiled checks make these; `reasonOf` puts them into words. */
export interface Fault {
  /** From the value that was checked: names of fields and indexes. */
  readonly path: (string | number)[];
  readonly code: FaultCode;
  /** What the code needs to say its reason: a bound, a type, a list. */
  readonly first?: unknown;
  readonly second?: unknown;
}

export type Faults = Fault[];

/** Adds what is wrong with a value; paths are relative to it. With `reject`, fields that nobody described are faults. */
export type Check = (value: unknown, faults: Faults, reject?: boolean) => void;

/** The value to hand on, a new one where it differs. With `strip`, without fields that nobody described; `below`, but for its own. */
export type Take = (value: unknown, strip?: Strip) => unknown;

export type Strip = boolean | "below";

/** Stable names for what can be wrong, beside the words, which may change. */
export type FaultCode =
  | "type"
  | "required"
  | "needs"
  | "unknown"
  | "name"
  | "enum"
  | "const"
  | "never"
  | "length"
  | "pattern"
  | "format"
  | "range"
  | "exact"
  | "above"
  | "below"
  | "multiple"
  | "items"
  | "unique"
  | "contains"
  | "fields"
  | "union"
  | "variant"
  | "not"
  | "bytes"
  | "combined"
  | "serialized"
  | "scopes"
  | "rule"
  | "syntax"
  | "once"
  | "unicode"
  | "depth"
  | "many"
  | "long"
  | "path"
  | "method"
  | "accept"
  | "media"
  | "encoding"
  | "size"
  | "status";

/** More than this is not told: whoever sends so much that is wrong is helped by the first hundred. */
export const mostFaults = 100;

/** The check of what nothing is said about. */
export function unjudged(): void {
  // Nothing is wrong with it.
}

// Conditions ask often and are told nothing: faults that nobody reads would be most of the garbage of a request.
const untold: Faults = [];
let isWrong = false;

/** Adds a fault of the value itself. */
export function fail(faults: Faults, code: FaultCode, first?: unknown, second?: unknown): void {
  if (faults === untold) isWrong = true;
  else if (faults.length < mostFaults) faults.push({ path: [], code, first, second });
}

/** Adds a fault of a field or item of the value. */
export function failAt(faults: Faults, key: string | number, code: FaultCode, first?: unknown, second?: unknown): void {
  if (faults === untold) isWrong = true;
  else if (faults.length < mostFaults) faults.push({ path: [key], code, first, second });
}

/** Puts a key before every path from an index on: those faults were found in a field or item of the value. */
export function under(faults: Faults, from: number, key: string | number): void {
  for (let index = from; index < faults.length; index += 1) faults[index]?.path.unshift(key);
}

/** True where a check finds nothing wrong. */
export function holds(check: Check, value: unknown): boolean {
  const before = untold.length;
  const wasWrong = isWrong;
  isWrong = false;
  check(value, untold, false);
  let isRight = !isWrong;
  isWrong = wasWrong;
  // A check may also put faults into the list itself.
  if (untold.length > before) {
    untold.length = before;
    isRight = false;
  }
  return isRight;
}
