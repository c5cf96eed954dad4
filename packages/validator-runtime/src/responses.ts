import type { Check, Issues } from "./issues.js";
import type { ValidatedRequest } from "./request-validator.js";
import { IssueCollector } from "./validate-input.js";
import { readJson, readUtf8 } from "./json-text.js";
import { contentFor, parseMediaType } from "./media-type.js";
import type { ValidationIssue } from "./validation-issue.js";
import type { ErrorResponse } from "./error-response.js";

/**
 * Checks by operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body. For bodies that are not JSON,
 * only the media type is validated.
 */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Check>>>>>>;

/** A response of a handler that the description does not allow. */
export interface ResponseReport {
  readonly operation: string;
  readonly status: number;
  readonly issues: readonly ValidationIssue[];
}

export interface ResponseValidationOptions {
  /**
   * Whether to validate responses: `"report"` reports invalid ones, `"enforce"` also replaces them with a 500.
   *
   * @defaultValue "off"
   */
  readonly validateResponses?: "off" | "report" | "enforce";
  /**
   * Receives each invalid response.
   *
   * @defaultValue writes to the console's error stream
   */
  readonly onInvalidResponse?: (report: ResponseReport) => void;
  /** Loads the checks. Generated packages provide this option. */
  readonly responseValidators?: () => Promise<ResponseValidators>;
}

export interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

export interface ResponseValidator {
  /** Reports an invalid response. Returns its replacement if `validateResponses` is `"enforce"`. */
  validate(accepted: ValidatedRequest, response: RawResponse): Promise<ErrorResponse | undefined>;
}

/** Creates the response validator. Undefined if responses are not validated. */
export function createResponseValidator({
  validateResponses = "off",
  onInvalidResponse = warn,
  responseValidators,
}: ResponseValidationOptions): ResponseValidator | undefined {
  if (validateResponses === "off") return undefined;
  if (responseValidators === undefined)
    throw new TypeError("Missing option `responseValidators`. Provide the function that loads the checks.");
  let loaded: Promise<ResponseValidators> | undefined;
  return {
    validate: async ({ operation: { definition } }, response) => {
      const table = await (loaded ??= responseValidators());
      const issues = responseIssues(response, table[definition.name] ?? {});
      if (issues.length > 0) onInvalidResponse({ operation: definition.name, status: response.status, issues });
      return issues.length > 0 && validateResponses === "enforce"
        ? invalidResponse(definition.name, issues)
        : undefined;
    },
  };
}

/** The response to the client in place of an invalid one. */
function invalidResponse(operation: string, issues: readonly ValidationIssue[]): ErrorResponse {
  return {
    kind: "error",
    status: 500,
    headers: { "content-type": "application/json" },
    body: { errors: [{ reason: "The response does not match the description of the API" }] },
    issues,
    operation,
  };
}

function warn({ operation, status, issues }: ResponseReport): void {
  const formatted = issues.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`));
  console.error(`Response ${status} of ${operation} does not match the description: ${formatted.join("; ")}`);
}

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
