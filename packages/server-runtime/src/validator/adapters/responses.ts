import {
  responseIssues,
  type ErrorResponse,
  type RawResponse,
  type ResponseHeaderCheck,
  type ResponseValidators,
  type ValidatedRequest,
  type ValidationIssue,
} from "../../http/index.js";

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
  /** Loads the check of headers. Generated packages provide this option. */
  readonly responseHeaders?: () => Promise<ResponseHeaderCheck>;
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
  responseHeaders,
}: ResponseValidationOptions): ResponseValidator | undefined {
  if (validateResponses === "off") return undefined;
  if (responseValidators === undefined)
    throw new TypeError("Missing option `responseValidators`. Provide the function that loads the checks.");
  let loaded: Promise<[ResponseValidators, ResponseHeaderCheck | undefined]> | undefined;
  return {
    validate: async ({ operation: { definition } }, response) => {
      const [bodies, checkHeaders] = await (loaded ??= Promise.all([responseValidators(), responseHeaders?.()]));
      const { name } = definition;
      const issues = [...responseIssues(response, bodies[name] ?? {}), ...(checkHeaders?.(name, response) ?? [])];
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
