/** One finding of validation. Compiled checks create it; `reasonOf` turns it into text. */
export interface Fault {
  /** Property names and indexes, starting at the validated value. */
  readonly path: (string | number)[];
  readonly code: FaultCode;
  /** Parameters of the code, such as a limit, a type or a list of values. */
  readonly first?: unknown;
  readonly second?: unknown;
}

export type Faults = Fault[];

/**
 * A compiled schema: adds a fault for each violation, with a path relative to the value.
 * With `reject`, undocumented properties are faults, too.
 */
export type Check = (value: unknown, faults: Faults, reject?: boolean) => void;

/** Normalizes a value: returns a new one if it differs. With `strip`, removes undocumented properties; with `below`, only those of nested objects. */
export type Take = (value: unknown, strip?: Strip) => unknown;

export type Strip = boolean | "below";

/** Stable identifiers of faults. The texts may change, the codes do not. */
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

/** Maximum number of faults that are reported for one value. */
export const mostFaults = 100;

/** Accepts every value: the check of an empty schema. */
export function unjudged(): void {}

// Conditions are evaluated often, and need no list of faults: creating one would cause most of a request's garbage.
const untold: Faults = [];
let isWrong = false;

/** Adds a fault of the value itself. */
export function fail(faults: Faults, code: FaultCode, first?: unknown, second?: unknown): void {
  if (faults === untold) isWrong = true;
  else if (faults.length < mostFaults) faults.push({ path: [], code, first, second });
}

/** Adds a fault of a property or item of the value. */
export function failAt(faults: Faults, key: string | number, code: FaultCode, first?: unknown, second?: unknown): void {
  if (faults === untold) isWrong = true;
  else if (faults.length < mostFaults) faults.push({ path: [key], code, first, second });
}

/** Prefixes the paths of faults with a key, from an index on. They were found in a property or item of the value. */
export function under(faults: Faults, from: number, key: string | number): void {
  for (let index = from; index < faults.length; index += 1) faults[index]?.path.unshift(key);
}

/** Whether a value satisfies a check. */
export function holds(check: Check, value: unknown): boolean {
  const before = untold.length;
  const wasWrong = isWrong;
  isWrong = false;
  check(value, untold, false);
  let isRight = !isWrong;
  isWrong = wasWrong;
  // A check may also add faults to the list directly.
  if (untold.length > before) {
    untold.length = before;
    isRight = false;
  }
  return isRight;
}
