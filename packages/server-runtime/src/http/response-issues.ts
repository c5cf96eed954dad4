import { readJson, readUtf8 } from "./decode/json-text.js";
import { contentFor, parseMediaType } from "./decode/media-type.js";
import { headerParameters } from "./decode/raw-parameters.js";
import { IssueCollector } from "./issues/issue-collector.js";
import type { Check, Issues } from "./issues/issues.js";
import type { ValidationIssue } from "./issues/validation-issue.js";
import type { ParameterDefinition } from "./operation-definition.js";
import { validateParameters } from "./request/validate-input.js";

/**
 * Checks by operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body, except a note of a framework.
 * For bodies that are not JSON, only the media type is validated.
 */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Check>>>>>>;

/** The issues of the headers of a response of an operation. */
export type ResponseHeaderCheck = (operation: string, response: RawResponse) => readonly ValidationIssue[];

/** Headers by status. */
type HeaderTable = Readonly<Record<string, readonly ParameterDefinition[]>>;

export interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  /** Its Content-Encoding. What is compressed is not validated. */
  readonly encoding?: string | undefined;
  readonly bytes: Uint8Array;
  /** Returns a header by its name in lower case. Default: headers are not validated. */
  readonly header?: (name: string) => string | undefined;
}

/**
 * Creates the check of documented headers.
 *
 * @param responses the documented statuses of each operation
 * @param common the headers that most operations document, by status
 * @param exceptions the headers of statuses where an operation documents others, by operation. Default: none
 */
export function createHeaderCheck(
  responses: ResponseValidators,
  common: HeaderTable,
  exceptions: Readonly<Record<string, HeaderTable>> = {},
): ResponseHeaderCheck {
  return (operation, { status, header }) => {
    const key = Object.hasOwn(responses, operation) ? documentedKey(status, responses[operation] ?? {}) : undefined;
    const collector = new IssueCollector();
    if (key === undefined || header === undefined) return collector.all;
    const parameters = (Object.hasOwn(exceptions, operation) ? exceptions[operation]?.[key] : undefined) ?? common[key];
    if (parameters !== undefined) validateParameters({ parameters }, () => headerParameters(header), collector);
    return collector.all;
  };
}

/** The key of the table that describes a status: itself, its range, or `default`. */
function documentedKey(status: number, statuses: ResponseValidators[string]): string | undefined {
  // A part of a body has the schema of none: it is not what `2XX` describes.
  const range = status === 206 ? "" : `${Math.floor(status / 100)}XX`;
  const others = conditionalStatuses.has(status) ? "" : "default";
  return [String(status), range, others].find((key) => Object.hasOwn(statuses, key));
}

/** The issues of a response. Of a body that is not JSON, only the media type is validated. */
export function responseIssues(
  response: RawResponse,
  statuses: ResponseValidators[string],
): readonly ValidationIssue[] {
  const { status } = response;
  const collector = new IssueCollector();
  const issues: Issues = [];
  const contents = statuses[documentedKey(status, statuses) ?? ""];
  if (contents !== undefined) addBodyIssue(response, contents, issues);
  else if (!conditionalStatuses.has(status)) issues.push({ path: [], code: "status", first: status });
  collector.add(issues, "response");
  return collector.all;
}

/** How frameworks shorten a documented response for `If-None-Match`, `If-Match` and `Range`. `default` describes other responses. */
const conditionalStatuses: ReadonlySet<number> = new Set([206, 304, 412, 416]);

/** Responses whose body Node and Fastify do not send. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 304]);

function addBodyIssue(response: RawResponse, contents: Readonly<Record<string, Check>>, issues: Issues): void {
  const { status, type, encoding = "identity", bytes } = response;
  if (emptyStatuses.has(status)) return;
  const isRedirect = status >= 300 && status < 400;
  const mediaTypes = Object.keys(contents);
  if (bytes.length === 0) {
    if (mediaTypes.length > 0 && !isRedirect) issues.push({ path: [], code: "required" });
    return;
  }
  const parsed = parseMediaType(type ?? "");
  const check = parsed && contentFor(contents, parsed);
  if (check === undefined) {
    const isNote = mediaTypes.length === 0 ? mayHaveNote(response) : isRedirect && /^text\//i.test(type ?? "");
    if (!isNote) issues.push({ path: [], code: "media", first: mediaTypes });
  } else if (/[/+]json$/.test(parsed?.essence ?? "") && encoding === "identity")
    validateJsonBytes(bytes, check, issues);
}

/** RFC 9110 asks for a note in redirects and errors. Where a status has none, Express and Koa write its phrase. */
function mayHaveNote({ status, bytes }: RawResponse): boolean {
  return status >= 300 || new TextDecoder().decode(bytes) === successPhrases[status];
}

const successPhrases: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

/** Validates a JSON body. */
function validateJsonBytes(bytes: Uint8Array, check: Check, issues: Issues): void {
  const text = readUtf8(bytes, issues);
  const value = text === undefined ? undefined : readJson(text, issues);
  if (issues.length === 0) check(value, issues);
}
