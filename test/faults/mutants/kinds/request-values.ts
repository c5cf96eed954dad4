import { findJsonContent, isJsonObject, type Api, type Json, type Operation } from "@plumbline/kit/model";
import type { ProxyResponse } from "../../proxy.js";
import { requestKinds, violableKeywords } from "../invalid-values.js";
import { errorOf, isRejection, mentionsField, successOf } from "../messages.js";
import type { Call, Mutant, MutantKind, ProxyContext, Violation } from "../mutant.js";
import { pick } from "../random.js";
import { placeOf, type SchemaStatement, type SchemaUse } from "../statements.js";
import { isValid } from "../validation.js";
import { visitRequestBody } from "../visit-values.js";

/** A server that does not check a keyword of a request body, in one of the operations that have it. */
export function requestMutants(statement: SchemaStatement, seed: number): readonly Mutant[] {
  const use = pick(statement.requests, seed, statement.place);
  if (use === undefined) return [];
  const { schema, property } = statement;
  const { place } = statement;
  const isRoot = use.pointer.length === 0;
  const ignoresNull = use.operation.requestBody?.input.nulls === "absent";
  const ofKeywords = violableKeywords(schema).flatMap(({ keyword, kind, isViolatedBy }): Mutant[] => {
    // That the body is an object is about the body, and null may stand for an absent field.
    if ((isRoot && (kind === "type" || kind === "null")) || (kind === "null" && ignoresNull)) return [];
    const accepted = (call: Call, { api }: ProxyContext): boolean =>
      keyword === "format"
        ? isPresent(call, api, place)
        : hasValue(call, { api, place }, (value) => value !== undefined && isViolatedBy(value));
    const limit =
      keyword === "pattern" || keyword === "format" || kind === "type" || kind === "null" ? undefined : keyword;
    return [
      acceptance(statement, use, {
        kind: requestKinds[kind],
        detail: `${keyword} ignored`,
        isMeant: accepted,
        field: keyword === "format" ? use.pointer.at(-1) : undefined,
      }),
      ...(limit === undefined || kind !== "bound" ? [] : atLimit(statement, use, limit)),
    ];
  });
  const isRequired = property?.required === true && property.schema.default === undefined;
  const isConditional = [
    schema.if,
    schema.not,
    schema.oneOf,
    schema.anyOf,
    schema.dependentRequired,
    schema.dependentSchemas,
  ].some((each) => each !== undefined);
  return [
    ...ofKeywords,
    ...(isRequired
      ? [
          acceptance(statement, use, {
            kind: "request required",
            detail: "required ignored",
            isMeant: (call, { api }) => hasValue(call, { api, place }, (value) => value === undefined),
          }),
        ]
      : []),
    ...(isConditional
      ? [
          acceptance(statement, use, {
            kind: "request condition",
            detail: "condition ignored",
            isMeant: (call, { api }) =>
              hasValue(
                call,
                { api, place },
                (value) => value !== undefined && !isValid(api, conditionOf(schema), value),
              ),
          }),
        ]
      : []),
  ];
}

/** The conditions of a schema, without its other keywords. */
function conditionOf(schema: SchemaStatement["schema"]): SchemaStatement["schema"] {
  const {
    if: condition,
    then,
    else: otherwise,
    not,
    oneOf,
    anyOf,
    dependentRequired,
    dependentSchemas,
    origin,
  } = schema;
  const kept = { if: condition, then, else: otherwise, not, oneOf, anyOf, dependentRequired, dependentSchemas };
  return { types: [], origin, ...Object.fromEntries(Object.entries(kept).filter(([, each]) => each !== undefined)) };
}

interface Acceptance {
  readonly kind: MutantKind;
  readonly detail: string;
  readonly isMeant: (call: Call, proxy: ProxyContext) => boolean;
  /** The field that the error has to be about. */
  readonly field?: string | undefined;
}

/** A rejection of what is meant becomes a success. */
export function acceptance(
  { place, requirements }: Pick<SchemaStatement, "place" | "requirements">,
  { operation }: Pick<SchemaUse, "operation">,
  { kind, detail, isMeant, field }: Acceptance,
): Mutant {
  return {
    id: `${kind}/${place}/${operation.name}/${detail}`,
    kind,
    requirements,
    operations: [operation.name],
    description: `${operation.name}: ${detail}`,
    start: (): Violation => ({
      onResponse: (answer, call, proxy) => {
        if (call.operation.name !== operation.name || !isOfValidation(answer) || !isMeant(call, proxy)) return answer;
        return field === undefined || mentionsField(answer, field) ? successOf(call, proxy) : answer;
      },
    }),
  };
}

/** Statuses of other reasons than the content of the request. */
const otherStatuses = new Set([401, 403, 405, 406, 413, 415, 429]);

export function isOfValidation(answer: ProxyResponse): boolean {
  return isRejection(answer) && !otherStatuses.has(answer.status);
}

/** The value at the limit is rejected, which is valid. */
function atLimit(statement: SchemaStatement, { operation }: SchemaUse, keyword: string): readonly Mutant[] {
  const { schema, place, requirements } = statement;
  const limit: unknown = (schema as unknown as Readonly<Record<string, unknown>>)[keyword];
  const sizeOf = sizes[keyword];
  // An object with the least id need not exist.
  if (schema.reference !== undefined) return [];
  if (typeof limit !== "number" || sizeOf === undefined || isBeyondTests(limit, keyword)) return [];
  return [
    {
      id: `request bound/${place}/${operation.name}/${keyword} off by one`,
      kind: "request bound",
      requirements,
      operations: [operation.name],
      description: `${operation.name}: the limit itself is rejected`,
      start: (): Violation => ({
        onRequest: (call, proxy) => {
          if (call.operation.name !== operation.name) return undefined;
          const isAt = hasValue(
            call,
            { api: proxy.api, place },
            (value) => value !== undefined && sizeOf(value) === limit,
          );
          return isAt ? errorOf(invalidStatus(proxy.api), call, proxy) : undefined;
        },
      }),
    },
  ];
}

/** Bodies of this size are not sent. */
function isBeyondTests(limit: number, keyword: string): boolean {
  return !/^m(?:ax|in)imum$/.test(keyword) && limit > 100_000;
}

/** The status of an invalid request. */
export function invalidStatus({ errors }: Api): number {
  return errors.find(({ status }) => status === 400 || status === 422)?.status ?? 400;
}

const sizes: Readonly<Record<string, (value: Json) => number | undefined>> = {
  minimum: numberOf,
  maximum: numberOf,
  minLength: lengthOf,
  maxLength: lengthOf,
  minItems: countOf,
  maxItems: countOf,
};

function numberOf(value: Json): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function lengthOf(value: Json): number | undefined {
  return typeof value === "string" ? [...value].length : undefined;
}

function countOf(value: Json): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** True when a value of the place, also an absent one, is meant. */
export function hasValue(
  { operation, body }: Call,
  { api, place }: { readonly api: Api; readonly place: string },
  isMeant: (value: Json | undefined) => boolean,
): boolean {
  if (body === undefined) return false;
  let isFound = false;
  visitRequestBody(api, { operation, body }, ({ schema, value }) => {
    if (placeOf(schema.origin) === place && isMeant(value)) isFound = true;
  });
  return isFound;
}

function isPresent(call: Call, api: Api, place: string): boolean {
  return hasValue(call, { api, place }, (value) => value !== undefined);
}

/** True when a request has a body that satisfies its schema, or needs none. */
export function hasValidBody({ operation, body }: Call, api: Api): boolean {
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  if (content === undefined) return true;
  if (body === undefined) return operation.requestBody?.required !== true;
  return isValid(api, content.schema, operation.requestBody?.input.nulls === "absent" ? withoutNulls(body) : body);
}

function withoutNulls(body: Json): Json {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body as Readonly<Record<string, Json>>)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, withoutNulls(each)]),
  );
}

export function hasJsonBody({ requestBody }: Operation): boolean {
  return findJsonContent(requestBody?.contents ?? []) !== undefined;
}
