import { mediaTypeEssence } from "@plumbline/server-runtime/validator";
import { isJsonMediaType, type DecodedResponse } from "../http/decode-response.js";
import { formatJson } from "../values/json.js";
import type { AssertionFailure, Difference } from "../results.js";
import { summarizeValue } from "./describe-schema.js";
import { createFailure } from "./failures.js";
import type { SchemaValidators, SchemaViolation } from "./schemas.js";
import { redactSecretValues } from "../http/secrets.js";
import { parseStreamItems } from "../http/stream-items.js";
import type { Json, JsonSchema, OperationInfo, ResponseInfo, StreamInfo } from "../suite.js";

/** The documented response for a status, under its key in the description: the status, a range, or `default`. */
export function responsesFor(facts: OperationInfo, status: number): Readonly<Record<string, ResponseInfo>> {
  const ofOperation = documentedResponses.get(facts) ?? new Map<number, Readonly<Record<string, ResponseInfo>>>();
  documentedResponses.set(facts, ofOperation);
  const known = ofOperation.get(status) ?? findResponse(facts, status);
  ofOperation.set(status, known);
  return known;
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
  const documented = Object.values(responsesFor(info, response.status))[0];
  if (documented === undefined) return undocumented();
  const fallback = documented.requirements.length > 0 ? documented.requirements : context.requirements;
  const wrong: AssertionFailure[] = [];
  for (const [name, header] of Object.entries(documented.headers)) {
    const value = response.headers[name.toLowerCase()];
    const requirements = header.requirements.length > 0 ? header.requirements : fallback;
    if (value !== undefined)
      wrong.push(
        ...headerDifferences(value, { name, schema: header.schema, schemas: context.schemas }).map((each) =>
          createFailure(each, { requirements }),
        ),
      );
    else if (header.required)
      wrong.push(
        createFailure(
          { part: "header", at: name, kind: "missing", expected: `${name} in the headers`, received: "no such header" },
          { requirements },
        ),
      );
  }
  if (method.toUpperCase() !== "HEAD") wrong.push(...bodyFailures());
  return wrong.map((failure) => ({ kind: "response", failure }));

  function undocumented(): readonly ResponseMismatch[] {
    if (isExpected || (!context.isStrict && response.status < 500)) return [];
    const failure = createFailure(
      {
        part: "status",
        at: "",
        kind: "undocumented",
        expected: `one of ${Object.keys(info.responses).join(", ")}`,
        received: String(response.status),
      },
      { requirements: context.requirements },
    );
    return [{ kind: "status", failure }];
  }

  function bodyFailures(): readonly AssertionFailure[] {
    const requirements = fallback;
    const { mediaTypes, schema, items } = documented ?? { mediaTypes: [] };
    const type = response.headers["content-type"];
    if (mediaTypes.length === 0) {
      // RFC 9110 asks for a note in redirects and errors.
      if (response.text === "" || response.status >= 300 || !context.isStrict) return [];
      const body = redactSecretValues(response.body);
      return [
        createFailure(
          { part: "body", at: "", kind: "unexpected", expected: "no body", received: summarizeValue(body) },
          { requirements, received: formatJson(body) },
        ),
      ];
    }
    if (response.text === "" && schema === undefined) return [];
    if (type === undefined || !mediaTypes.some((each) => matchesMediaType(type, each))) {
      const received = type ?? (response.text === "" ? "no body" : "no content-type");
      const expected = mediaTypes.join(" or ");
      return [createFailure({ part: "media-type", at: "", kind: "different", expected, received }, { requirements })];
    }
    if (response.parseError !== undefined) {
      const received = `not JSON (${response.parseError})`;
      return [
        createFailure(
          { part: "body", at: "", kind: "different", expected: "JSON", received },
          { requirements, received: response.text.slice(0, 300) },
        ),
      ];
    }
    if (items !== undefined && matchesMediaType(type, items.mediaType)) return itemFailures(items, requirements);
    if (schema === undefined || !isJsonMediaType(type)) return [];
    return schemaFailures(schema, response.body, requirements);
  }

  function itemFailures(
    { mediaType, schema, hasJsonData = false }: StreamInfo,
    requirements: readonly string[],
  ): readonly AssertionFailure[] {
    const { text, isPartial = false } = response;
    const { items, error } = parseStreamItems({ text, mediaType, isPartial, hasJsonData });
    const failures = items.flatMap((item, position) => schemaFailures(schema, item, requirements, `/${position}`));
    if (error === undefined) return failures;
    const { position, expected, received } = error;
    const unreadable = createFailure(
      { part: "body", at: `/${position}`, kind: "different", expected, received },
      { requirements },
    );
    return [...failures, unreadable];
  }

  function schemaFailures(
    schema: JsonSchema,
    value: Json,
    requirements: readonly string[],
    within = "",
  ): readonly AssertionFailure[] {
    return context.schemas
      .validateDocumented(schema, value)
      .map(({ difference, ...details }) =>
        createFailure(
          { part: "body", ...difference, at: `${within}${difference.at}` },
          { ...details, requirements: details.requirements.length > 0 ? details.requirements : requirements },
        ),
      );
  }
}

/** A header's text is also tried as a number and as a boolean. */
function headerDifferences(
  value: string,
  { name, schema, schemas }: { readonly name: string; readonly schema: JsonSchema; readonly schemas: SchemaValidators },
): readonly Difference[] {
  const readings: Json[] = [value];
  if (/^-?\d+(?:\.\d+)?$/.test(value)) readings.unshift(Number(value));
  if (value === "true" || value === "false") readings.unshift(value === "true");
  let found: readonly SchemaViolation[] = [];
  for (const reading of readings) {
    found = schemas.validateDocumented(schema, reading);
    if (found.length === 0) return [];
  }
  return found.map(({ difference }) => ({ ...difference, part: "header", at: name }));
}

/** `application/json; charset=utf-8` matches `application/json`, `application/*` and any range. */
function matchesMediaType(type: string, documentedType: string): boolean {
  const given = mediaTypeEssence(type);
  const due = mediaTypeEssence(documentedType);
  if (due === "*/*" || due === given) return true;
  return due.endsWith("/*") && given.startsWith(due.slice(0, -1));
}
