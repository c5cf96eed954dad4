/** One finding of validation. Compiled checks create it; `reasonOf` turns it into text. */
export interface Issue {
  /** Property names and indexes, starting at the validated value. */
  readonly path: (string | number)[];
  readonly code: IssueCode;
  /** Parameters of the code, such as a limit, a type or a list of values. */
  readonly first?: unknown;
  readonly second?: unknown;
}

export type Issues = Issue[];

/**
 * A compiled schema: adds an issue for each violation, with a path relative to the value.
 * With `reject`, undocumented properties are issues, too.
 */
export type Check = (value: unknown, issues: Issues, reject?: boolean) => void;

/** Normalizes a value: returns the same one if nothing changes. With `strip`, removes undocumented properties; with `below`, only those of nested objects. */
export type Normalizer = (value: unknown, strip?: StripMode) => unknown;

/** Converts a valid value, such as a text to a `Date`. Returns a copy, or adds an issue. */
export type Conversion = (value: unknown, issues: Issues) => unknown;

export type StripMode = boolean | "below";

/** Stable identifiers of issues. The texts may change, the codes do not. */
export type IssueCode =
  | "type"
  | "required"
  | "dependentRequired"
  | "unknown"
  | "propertyNames"
  | "enum"
  | "const"
  | "false"
  | "length"
  | "lengthOrAbsent"
  | "pattern"
  | "format"
  | "range"
  | "safeInteger"
  | "exclusiveMinimum"
  | "exclusiveMaximum"
  | "multiple"
  | "items"
  | "unique"
  | "contains"
  | "fields"
  | "union"
  | "oneOf"
  | "not"
  | "bytes"
  | "combined"
  | "serialized"
  | "scopes"
  | "rule"
  | "syntax"
  | "duplicateParameter"
  | "unicode"
  | "depth"
  | "tooManyParameters"
  | "tooLong"
  | "path"
  | "credential"
  | "scope"
  | "method"
  | "accept"
  | "media"
  | "encoding"
  | "size"
  | "status";

/** Maximum number of issues that are reported for one value. */
export const maxIssues = 100;

/** Accepts every value: the check of an empty schema. */
export function noValidation(): void {}

// `isValid` passes this list: an issue of it only sets `hasIssue`. Conditions are evaluated often, and creating their issues would cause most of a
// request's garbage.
const discardedIssues: Issues = [];
let hasIssue = false;

/** Adds an issue of the value itself. */
export function addIssue(issues: Issues, code: IssueCode, first?: unknown, second?: unknown): void {
  if (issues === discardedIssues) hasIssue = true;
  else if (issues.length < maxIssues) issues.push({ path: [], code, first, second });
}

/** Adds an issue of a property or item of the value. */
export function addIssueAt(
  issues: Issues,
  key: string | number,
  code: IssueCode,
  first?: unknown,
  second?: unknown,
): void {
  if (issues === discardedIssues) hasIssue = true;
  else if (issues.length < maxIssues) issues.push({ path: [key], code, first, second });
}

/** Prefixes the paths of the issues from an index on, which belong to a property or item of the value, with its key. */
export function prefixPaths(issues: Issues, from: number, key: string | number): void {
  for (let index = from; index < issues.length; index += 1) issues[index]?.path.unshift(key);
}

/** Whether a value satisfies a check. */
export function isValid(check: Check, value: unknown): boolean {
  const before = discardedIssues.length;
  const hadIssue = hasIssue;
  hasIssue = false;
  check(value, discardedIssues, false);
  let isRight = !hasIssue;
  hasIssue = hadIssue;
  // A check may also add issues to the list directly.
  if (discardedIssues.length > before) {
    discardedIssues.length = before;
    isRight = false;
  }
  return isRight;
}
