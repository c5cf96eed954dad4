import { maxIssues, type Issue, type Issues } from "./issues.js";
import {
  toValidationIssue,
  type IssueLocation,
  type ReasonFormatter,
  type ValidationIssue,
} from "./validation-issue.js";

/** Collects the issues of one request, at most a hundred. */
export class IssueCollector {
  readonly all: ValidationIssue[] = [];
  readonly #reason: ReasonFormatter | undefined;

  constructor(reason?: ReasonFormatter) {
    this.#reason = reason;
  }

  /** Adds the issues of one location, and empties the list. */
  add(issues: Issues, location: IssueLocation, parameter?: string): void {
    for (const issue of issues) {
      const formatted = this.#format(issue, toValidationIssue(issue, location, parameter));
      if (this.all.length < maxIssues && !this.all.some((each) => isSame(each, formatted))) this.all.push(formatted);
    }
    issues.length = 0;
  }

  #format(issue: Issue, formatted: ValidationIssue): ValidationIssue {
    if (this.#reason === undefined) return formatted;
    const reason = this.#reason(formatted, issue);
    return reason === undefined ? formatted : { ...formatted, reason };
  }
}

/** Two parts of a schema may have the same issue for one property. */
function isSame(a: ValidationIssue, b: ValidationIssue): boolean {
  return a.field === b.field && a.code === b.code && a.reason === b.reason && a.in === b.in;
}
