import type { Issue, IssueCode } from "./issues.js";
import { reasonOf } from "./reasons.js";

/** One finding of validation in a request or a response, with its text. */
export interface ValidationIssue {
  readonly in: "body" | "path" | "query" | "header" | "cookie" | "request" | "response";
  /** Location: a path such as `disks.0.size` in a body, or the name of a parameter. Absent: the value itself. */
  readonly field?: string;
  readonly code: IssueCode;
  readonly reason: string;
}

export type IssueLocation = ValidationIssue["in"];

/** Returns the text for an issue. Undefined keeps the default text. */
export type ReasonFormatter = (issue: ValidationIssue, detail: Issue) => string | undefined;

export function toValidationIssue(issue: Issue, location: IssueLocation, parameter?: string): ValidationIssue {
  const { code } = issue;
  const field = issueField(issue, location, parameter);
  const reason = reasonOf(issue);
  return field === "" ? { in: location, code, reason } : { in: location, field, code, reason };
}

function issueField({ path }: Issue, location: IssueLocation, parameter: string | undefined): string {
  if (parameter === undefined) return path.length === 1 ? String(path[0]) : path.join(".");
  // A header is one text, so an issue inside it has the header's name.
  return location === "header" || path.length === 0 ? parameter : `${parameter}.${path.join(".")}`;
}
