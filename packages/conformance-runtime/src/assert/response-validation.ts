import { mediaTypeEssence } from "@plumbline/server-runtime/validator";
import { isJsonMediaType, type DecodedResponse } from "../http/decode-response.js";
import { redactSecretValues } from "../http/secrets.js";
import { parseStreamItems } from "../http/stream-items.js";
import type { AssertionFailure } from "../results.js";
import type { Json, JsonSchema, OperationInfo, ResponseInfo, StreamInfo } from "../suite.js";
import { formatJson } from "../values/json.js";
import { summarizeValue } from "./describe-schema.js";
import { createFailure } from "./failures.js";
import type { SchemaValidators } from "./schemas.js";
import type { ValueDifference } from "./value-differences.js";

/** The documented response for a status, under its key in the description: the status, a range, or `default`. */
export function responsesFor(facts: OperationInfo, status: number): Readonly<Record<string, ResponseInfo>> {
  const ofOperation = documentedResponses.get(facts) ?? new Map<number, Readonly<Record<string, ResponseInfo>>>();
  documentedResponses.set(facts, ofOperation);
  const responses = ofOperation.get(status) ?? findResponse(facts, status);
  ofOperation.set(status, responses);
  return responses;
}

/** Asked several times for each response of a run. */
const documentedResponses = new WeakMap<OperationInfo, Map<number, Readonly<Record<string, ResponseInfo>>>>();

function findResponse(facts: OperationInfo, status: number): Readonly<Record<string, ResponseInfo>> {
  for (const name of [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, "default"]) {
    const response = facts.responses[name];
    if (response !== undefined) return { [name]: response };
  }
  return {};
}

export interface ValidationContext {
  readonly schemas: SchemaValidators;
  /** In a strict suite an undocumented status or body is a mismatch. */
  readonly isStrict: boolean;
  /** The requirements of the case, for differences to which the description attributes none. */
  readonly requirements: readonly string[];
}

export interface ResponseCheck {
  readonly response: DecodedResponse;
  readonly info: OperationInfo;
  readonly method: string;
  readonly context: ValidationContext;
  /** The step expects this status, so it may be undocumented. */
  readonly isExpected: boolean;
}

export interface ResponseMismatch {
  readonly kind: "status" | "response";
  readonly failure: AssertionFailure;
}

/** Validates status, media type, headers and body of a response against the description. */
export function validateResponse({
  response,
  info,
  method,
  context,
  isExpected,
}: ResponseCheck): readonly ResponseMismatch[] {
  const [documented] = Object.values(responsesFor(info, response.status));
  if (documented === undefined) {
    if (isExpected || (!context.isStrict && response.status < 500)) return [];
    return [{ kind: "status", failure: undocumentedStatus(response, info, context.requirements) }];
  }
  const requirements = documented.requirements.length > 0 ? documented.requirements : context.requirements;
  const validation = { response, documented, context, requirements };
  const failures = [
    ...headerFailures(validation),
    ...(method.toUpperCase() === "HEAD" ? [] : bodyFailures(validation)),
  ];
  return failures.map((failure) => ({ kind: "response", failure }));
}

/** The failure of a response whose status the description does not have. */
export function undocumentedStatus(
  { status }: DecodedResponse,
  { responses }: OperationInfo,
  requirements: readonly string[],
): AssertionFailure {
  const expected = `one of ${Object.keys(responses).join(", ")}`;
  const received = String(status);
  return createFailure({ part: "status", at: "", kind: "undocumented", expected, received }, { requirements });
}

/** A response with what the description says about it. */
interface Validation {
  readonly response: DecodedResponse;
  readonly documented: ResponseInfo;
  readonly context: ValidationContext;
  /** The requirements for differences to which the description attributes none. */
  readonly requirements: readonly string[];
}

function headerFailures({
  response,
  documented,
  context: { schemas },
  requirements: fallback,
}: Validation): readonly AssertionFailure[] {
  return Object.entries(documented.headers).flatMap(([at, { schema, required, requirements: stated }]) => {
    const value = response.headers[at.toLowerCase()];
    const requirements = stated.length > 0 ? stated : fallback;
    if (value !== undefined)
      return headerDifferences(value, schema, schemas).map((each) =>
        createFailure({ ...each, part: "header", at }, { requirements }),
      );
    const [expected, received] = [`${at} in the headers`, "no such header"];
    return required
      ? [createFailure({ part: "header", at, kind: "missing", expected, received }, { requirements })]
      : [];
  });
}

function bodyFailures(validation: Validation): readonly AssertionFailure[] {
  const { response, documented, requirements } = validation;
  const { schema, items } = documented;
  if (documented.mediaTypes.length === 0) return unexpectedBody(validation);
  if (response.text === "" && schema === undefined) return [];
  const unreadable = unreadableBody(response, documented, requirements);
  if (unreadable !== undefined) return [unreadable];
  const type = response.headers["content-type"] ?? "";
  if (items !== undefined && matchesMediaType(type, items.mediaType)) return itemFailures(items, validation);
  if (schema === undefined || !isJsonMediaType(type)) return [];
  return schemaFailures(schema, { value: response.body, at: "" }, validation);
}

/** The failure of a body that has another media type than the documented ones, or is no JSON where that says so. */
export function unreadableBody(
  { headers, text, parseError }: DecodedResponse,
  { mediaTypes }: Pick<ResponseInfo, "mediaTypes">,
  requirements: readonly string[],
): AssertionFailure | undefined {
  const type = headers["content-type"];
  if (type === undefined || !mediaTypes.some((each) => matchesMediaType(type, each))) {
    const received = type ?? (text === "" ? "no body" : "no content-type");
    const expected = mediaTypes.join(" or ");
    return createFailure({ part: "media-type", at: "", kind: "different", expected, received }, { requirements });
  }
  if (parseError === undefined) return undefined;
  const received = `not JSON (${parseError})`;
  const difference = { part: "body", at: "", kind: "different", expected: "JSON", received } as const;
  return createFailure(difference, { requirements, received: text.slice(0, 300) });
}

function unexpectedBody({ response, context, requirements }: Validation): readonly AssertionFailure[] {
  // RFC 9110 asks for a note in redirects and errors.
  if (response.text === "" || response.status >= 300 || !context.isStrict) return [];
  const body = redactSecretValues(response.body);
  const received = summarizeValue(body);
  const difference = { part: "body", at: "", kind: "unexpected", expected: "no body", received } as const;
  return [createFailure(difference, { requirements, received: formatJson(body) })];
}

function itemFailures(
  { mediaType, schema, hasJsonData = false }: StreamInfo,
  validation: Validation,
): readonly AssertionFailure[] {
  const { text, isPartial = false } = validation.response;
  const { items, error } = parseStreamItems({ text, mediaType, isPartial, hasJsonData });
  const failures = items.flatMap((value, position) =>
    schemaFailures(schema, { value, at: `/${position}` }, validation),
  );
  if (error === undefined) return failures;
  const { position, expected, received } = error;
  const difference = { part: "body", at: `/${position}`, kind: "different", expected, received } as const;
  return [...failures, createFailure(difference, { requirements: validation.requirements })];
}

interface BodyValue {
  readonly value: Json;
  /** A JSON pointer to it. */
  readonly at: string;
}

function schemaFailures(
  schema: JsonSchema,
  { value, at }: BodyValue,
  { context, requirements }: Validation,
): readonly AssertionFailure[] {
  return context.schemas
    .validateDocumented(schema, value)
    .map(({ difference, ...details }) =>
      createFailure(
        { part: "body", ...difference, at: `${at}${difference.at}` },
        { ...details, requirements: details.requirements.length > 0 ? details.requirements : requirements },
      ),
    );
}

/** A header's text is also tried as a number and as a boolean. */
function headerDifferences(value: string, schema: JsonSchema, schemas: SchemaValidators): readonly ValueDifference[] {
  const readings: Json[] = [value];
  if (/^-?\d+(?:\.\d+)?$/.test(value)) readings.unshift(Number(value));
  if (value === "true" || value === "false") readings.unshift(value === "true");
  const violations = readings.map((each) => schemas.validateDocumented(schema, each));
  if (violations.some(({ length }) => length === 0)) return [];
  return violations.at(-1)?.map(({ difference }) => difference) ?? [];
}

/** `application/json; charset=utf-8` matches `application/json`, `application/*` and any range. */
function matchesMediaType(type: string, documentedType: string): boolean {
  const received = mediaTypeEssence(type);
  const documented = mediaTypeEssence(documentedType);
  if (documented === "*/*" || documented === received) return true;
  return documented.endsWith("/*") && received.startsWith(documented.slice(0, -1));
}
