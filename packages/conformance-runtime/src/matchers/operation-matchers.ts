import { formatSuggestion } from "@plumbline/command-line";
import { createFailure } from "../assert/failures.js";
import { responsesFor, undocumentedStatus, validateResponse } from "../assert/response-validation.js";
import { SchemaValidators } from "../assert/schemas.js";
import type { DecodedResponse } from "../http/decode-response.js";
import { createPaint, formatAssertionFailure } from "../report/text-failure.js";
import type { AssertionFailure } from "../results.js";
import type { Json, OperationInfo, Suite } from "../suite.js";
import { readReceivedResponse } from "./received-response.js";

/** The result of a matcher, as Vitest and Jest expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface MatchOptions {
  /** The status that the response must have. Default: any documented status. */
  readonly status?: number;
  /** Whether undocumented fields and bodies fail. Default: as in the suite. */
  readonly strict?: boolean;
}

/** Matchers for `expect.extend`. A type, since an interface has no index signature, which Vitest expects. */
export type OperationMatcherFunctions = {
  /** Checks the status, the media type, the headers and the body of a response of an operation. */
  toMatchOperation(
    received: unknown,
    operation: string,
    options?: MatchOptions,
  ): MatcherResult | Promise<MatcherResult>;
  /** Checks a value by a named schema of the description. */
  toMatchSchema(received: unknown, schema: string, options?: Pick<MatchOptions, "strict">): MatcherResult;
};

/** The parts of a suite that describe responses. */
type ResponseSuite = Pick<Suite, "operations" | "schemas" | "strict" | "requirements">;

/**
 * Creates matchers for the responses that a suite describes.
 *
 * @param suite The generated suite.
 * @example
 * expect.extend(createOperationMatchers(suite));
 * await expect(await fetch(url)).toMatchOperation("getNote");
 */
export function createOperationMatchers(suite: ResponseSuite): OperationMatcherFunctions {
  const compiled = new Map<boolean, SchemaValidators>();

  return {
    toMatchOperation(received, operation, { status, strict = suite.strict } = {}) {
      const info = requireKnown(suite.operations, operation, "operation");
      const response = readReceivedResponse(received);
      const complete = (decoded: DecodedResponse): MatcherResult => {
        const failures = failuresOf(decoded, { info, status, isStrict: strict, schemas: validators(strict) });
        const { method, path, location } = info;
        const subject = `the response of ${operation}, ${method} ${path} (${location})`;
        return toResult(failures, { suite, subject, matcher: `toMatchOperation("${operation}")` });
      };
      return response instanceof Promise ? response.then(complete) : complete(response);
    },
    toMatchSchema(received, schema, { strict = suite.strict } = {}) {
      requireKnown(suite.schemas, schema, "schema");
      const violations = validators(strict).validateDocumented({ $ref: `#/$defs/${schema}` }, toJson(received));
      const failures = violations.map(({ difference, ...details }) =>
        createFailure({ part: "value", ...difference }, details),
      );
      return toResult(failures, { suite, subject: `the schema ${schema}`, matcher: `toMatchSchema("${schema}")` });
    },
  };

  /** Schemas are compiled once, on first use. */
  function validators(strict: boolean): SchemaValidators {
    const known = compiled.get(strict) ?? new SchemaValidators({ schemas: suite.schemas, strict });
    compiled.set(strict, known);
    return known;
  }
}

interface ResponseExpectation {
  readonly info: OperationInfo;
  readonly status: number | undefined;
  readonly isStrict: boolean;
  readonly schemas: SchemaValidators;
}

function failuresOf(
  response: DecodedResponse,
  { info, status, isStrict, schemas }: ResponseExpectation,
): readonly AssertionFailure[] {
  const isOther = status !== undefined && response.status !== status;
  const different = isOther
    ? createFailure(
        { part: "status", at: "", kind: "different", expected: String(status), received: String(response.status) },
        { requirements: [] },
      )
    : undefined;
  const isDocumented = Object.keys(responsesFor(info, response.status)).length > 0;
  if (!isDocumented) return [different ?? undocumentedStatus(response, info, [])];
  const context = { schemas, isStrict, requirements: [] };
  const mismatches = validateResponse({ response, info, method: info.method, context, isExpected: false });
  return [...(different === undefined ? [] : [different]), ...mismatches.map(({ failure }) => failure)];
}

function toResult(
  failures: readonly AssertionFailure[],
  { suite, subject, matcher }: { readonly suite: ResponseSuite; readonly subject: string; readonly matcher: string },
): MatcherResult {
  if (failures.length === 0)
    return { pass: true, message: () => `expect(received).not.${matcher}\n\nThe value matches ${subject}.` };
  const context = { suite, paint: createPaint(false), requirements: [] };
  const lines = failures.flatMap((failure) => formatAssertionFailure(failure, context));
  return {
    pass: false,
    message: () => [`expect(received).${matcher}\n\nThe value does not match ${subject}:`, ...lines].join("\n"),
  };
}

function requireKnown<Value>(values: Readonly<Record<string, Value>>, name: string, noun: string): Value {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  throw new TypeError(
    `${JSON.stringify(name)} is not the name of ${noun === "operation" ? "an operation" : `a ${noun}`} of the description.${formatSuggestion(name, Object.keys(values))}`,
  );
}

/** The value as a message would carry it: without undefined properties, and with dates as text. */
function toJson(value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as Json);
}
