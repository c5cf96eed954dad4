import { contentFor, parseMediaType } from "../decode/media-type.js";
import { readJson, readUtf8 } from "../decode/json-text.js";
import { IssueCollector } from "./issue-collector.js";
import type { Check, Issues } from "./issues.js";
import type { ValidationIssue } from "./validation-issue.js";

/**
 * Checks by operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body. For bodies that are not JSON,
 * only the media type is validated.
 */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Check>>>>>>;

export interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

/** The issues of a response. Of a body that is not JSON, only the media type is validated. */
export function responseIssues(
  { status, type, bytes }: RawResponse,
  statuses: ResponseValidators[string],
): readonly ValidationIssue[] {
  const collector = new IssueCollector();
  const issues: Issues = [];
  const contents = statuses[status] ?? statuses[`${Math.floor(status / 100)}XX`] ?? statuses["default"];
  if (contents === undefined) issues.push({ path: [], code: "status", first: status });
  else if (bytes.length > 0) {
    const parsed = parseMediaType(type ?? "");
    const check = parsed === undefined ? undefined : contentFor(contents, parsed);
    if (parsed === undefined || check === undefined) {
      issues.push({ path: [], code: "media", first: Object.keys(contents) });
    } else if (/[/+]json$/.test(parsed.essence)) validateJsonBytes(bytes, check, issues);
  } else if (Object.keys(contents).length > 0) issues.push({ path: [], code: "required" });
  collector.add(issues, "response");
  return collector.all;
}

/** Validates a JSON body. */
function validateJsonBytes(bytes: Uint8Array, check: Check, issues: Issues): void {
  const text = readUtf8(bytes, issues);
  const value = text === undefined ? undefined : readJson(text, issues);
  if (issues.length === 0) check(value, issues);
}
