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

/** Headers by operation and status. */
type HeaderTable = Readonly<Record<string, Readonly<Record<string, readonly ParameterDefinition[]>>>>;

export interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  /** Its Content-Encoding. What is compressed is not validated. */
  readonly encoding?: string | undefined;
  readonly bytes: Uint8Array;
  /** Returns a header by its name in lower case. Default: headers are not validated. */
  readonly header?: (name: string) => string | undefined;
}

/** Creates the check of documented headers. */
export function createHeaderCheck(table: HeaderTable): ResponseHeaderCheck {
  return (operation, { status, header }) => {
    const parameters = Object.hasOwn(table, operation) ? entryOf(status, table[operation] ?? {}) : undefined;
    const collector = new IssueCollector();
    if (parameters !== undefined && header !== undefined)
      validateParameters({ parameters }, () => headerParameters(header), collector);
    return collector.all;
  };
}

/** What a table says of a status. */
function entryOf<Entry>(status: number, statuses: Readonly<Record<string, Entry>>): Entry | undefined {
  // A part of a body has the schema of none: it is not what `2XX` describes.
  const range = status === 206 ? undefined : statuses[`${Math.floor(status / 100)}XX`];
  return statuses[status] ?? range ?? (conditionalStatuses.has(status) ? undefined : statuses["default"]);
}

/** The issues of a response. Of a body that is not JSON, only the media type is validated. */
export function responseIssues(
  response: RawResponse,
  statuses: ResponseValidators[string],
): readonly ValidationIssue[] {
  const { status } = response;
  const collector = new IssueCollector();
  const issues: Issues = [];
  const contents = entryOf(status, statuses);
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
