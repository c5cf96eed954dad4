import type { CallStep, Case, Expectation, CaseKind, Step, Template } from "@plumbline/conformance-runtime";
import { findJsonContent, memoizeByKey, type Schema, statedLimits } from "@plumbline/kit/model";
import { createCase, type ConformanceContext } from "../../context/context.js";
import { prepareAcceptable, type BodyPreparation } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { cleanupSteps } from "../../requests/cleanup-steps.js";
import { successStatuses } from "../../requests/documented-statuses.js";
import { callStep, setupStep } from "../../requests/request-plan.js";
import { toErrorField, type BodyField } from "../../values/body-fields.js";
import { fieldMutator, valueAt, type FieldMutator } from "../../values/body-mutations.js";
import { matchingSchema, expectedStoredValue } from "../../values/expected-values.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { unconditionalLayers, schemaBranches } from "../../values/schema-layers.js";
import { validateTemplate } from "../../values/template-validation.js";
import { withUniqueTexts } from "./unique-texts.js";

export interface CaseDescription {
  readonly kind: CaseKind;
  readonly idParts: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** A body to store first, so that the tested body differs from the stored one. */
  readonly initialBody?: Template;
}

interface RejectedDescription extends CaseDescription {
  /** What is sent in place of the body, after further setup steps. */
  readonly sent?: BodyPreparation;
}

/** Cases of a rejected body. Empty when the body may be valid. */
export function rejectedCases(
  around: BodyCaseContext,
  body: Template,
  { initialBody: earlier, sent = { setupSteps: [], body }, ...description }: RejectedDescription,
): readonly Case[] {
  const { context, operation, schema, nulls } = around;
  const issues = validateTemplate(context, schema, body, nulls);
  const [first] = issues;
  if (first === undefined) return [];
  const field = first.isAmbiguous || issues.length > 1 ? undefined : first.path.join(".");
  const stored = earlier === undefined ? undefined : prepareAcceptable(around, earlier);
  const plan = stored === undefined ? around.shared : around.own;
  const steps = stored === undefined ? plan.setupSteps : [...stored.setupSteps, callStep(plan, { body: stored.body })];
  const error: Step = { ...callStep(plan, { body: sent.body }), expect: expectRejectedField(around, field) };
  const cleanup = earlier === undefined ? [] : cleanupSteps(around, [earlier]);
  const all = [...steps, ...sent.setupSteps, error, ...cleanup];
  return [
    createCase(context, { operation, ...description, requires: plan.requires, exclusive: plan.exclusive, steps: all }),
  ];
}

/** The expected error for an invalid field: "" for the complete body, undefined for any field. */
export function expectRejectedField(
  { rejectionStatus, namesFields }: BodyCaseContext,
  field: string | undefined,
): Expectation {
  if (!namesFields) return { status: rejectionStatus };
  return { status: rejectionStatus, error: field === undefined ? {} : { field: field === "" ? null : field } };
}

/** Cases of an accepted body, whose field is stored. Empty when the body may be rejected. */
export function acceptedCases(
  context: BodyCaseContext,
  body: Template,
  { field, initialBody, ...description }: CaseDescription & { readonly field: BodyField },
): readonly Case[] {
  const standing = prepareAcceptable(context, body, field);
  if (standing === undefined) return [];
  const earlier = initialBody === undefined ? undefined : prepareAcceptable(context, initialBody, field);
  const before = earlier === undefined ? [] : [setupStep(callStep(context.own, { body: earlier.body }))];
  const value = valueAt(body, field.pointer);
  // A nested null may remove its object.
  const isStored = value !== undefined && !(value === null && field.pointer.length > 1);
  const expected = isStored ? expectedStoredValue(context, field, { body, value }) : undefined;
  const expect = expected === undefined ? undefined : expectField(context, field.pointer, matchingSchema(expected));
  return [
    createAcceptedCase(context, description, [
      ...(earlier?.setupSteps ?? standing.setupSteps),
      ...before,
      ...sendAndRead(context, standing.body, expect),
    ]),
  ];
}

/** A case with objects of its own. It deletes objects that the server creates for names in the body. */
export function createAcceptedCase(
  around: BodyCaseContext,
  description: CaseDescription,
  steps: readonly Step[],
): Case {
  const { context, operation, own } = around;
  const bodies = steps.flatMap((step) => ("call" in step && step.call === operation.name ? (step.body ?? []) : []));
  return createCase(context, {
    operation,
    ...description,
    requires: own.requires,
    exclusive: own.exclusive,
    steps: [...steps, ...cleanupSteps(around, bodies)],
  });
}

/** The call with a body, followed by a read; both responses must match. Texts of unique keys are new ones. */
export function sendAndRead(context: BodyCaseContext, input: Template, output: Template | undefined): readonly Step[] {
  const { own, read, responseSchema } = context;
  const { body, expected, mayBeTaken } = withUniqueTexts(context, input, output);
  // A conflict is no rejection of the text: the server has accepted it before.
  if (mayBeTaken)
    return [{ ...callStep(own, { body }), expect: { status: [...successStatuses(context.operation), 409] } }];
  const sent: Step = { ...callStep(own, { body }), as: "answer" };
  if (expected === undefined) return [sent];
  const expect: Pick<CallStep, "expect"> = { expect: { body: expected } };
  // An expectation that refers to the request of `answer` can be checked only afterwards.
  const checked: readonly Step[] =
    expected === output ? [{ ...sent, ...expect }] : [sent, { check: { $get: "answer#/body" }, matches: expected }];
  return [
    ...(responseSchema === undefined ? [sent] : checked),
    ...(read === undefined ? [] : [{ ...readStep(context), ...expect }]),
  ];
}

/** A read of the created or updated object. */
export function readStep({ own, read }: BodyCaseContext): CallStep {
  if (read === undefined) throw new RangeError("reading: no operation reads the object");
  const path = Object.keys(read.path).length === 0 ? {} : { path: read.path };
  return { call: read.operation.name, ...(own.call.by === undefined ? {} : { by: own.call.by }), ...path };
}

/** A JSON Schema of a response with a value in a field. Undefined when responses do not have the field, or have it in another form. */
export function expectField(
  around: BodyCaseContext,
  pointer: readonly string[],
  value: Template,
): Template | undefined {
  const { context, responseSchema, read } = around;
  const isShown = (schema: Schema): boolean =>
    isFieldInResponse(context, [schema], pointer) && fitsResponse(context, { schema, pointer, value });
  const responses = read?.operation.responses.find(({ status }) => status === 200);
  const other = responses && findJsonContent(responses.contents)?.schema;
  const schemas = [responseSchema, ...(read === undefined ? [] : [other])].filter((each) => each !== undefined);
  return schemas.length > 0 && schemas.every(isShown) ? nestedSchema(pointer, value) : undefined;
}

interface ResponseField {
  readonly schema: Schema;
  readonly pointer: readonly string[];
  /** A JSON Schema, with `const` if the value is known. */
  readonly value: Template;
}

/** False for a constant that the schema of the response does not permit: `5` for a number that responses show as text. */
function fitsResponse(context: ConformanceContext, { schema, pointer, value }: ResponseField): boolean {
  if (!isPlainObject(value) || value["const"] === undefined) return true;
  const fields = pointer.reduce<readonly Schema[]>(
    (schemas, token) => schemas.flatMap((each) => shownProperties(context, each).get(token) ?? []),
    [schema],
  );
  const sent = value["const"];
  return fields.some((each) => validateTemplate(context, each, sent, "validated").length === 0);
}

/** A JSON Schema of a value with a nested schema at a pointer. */
export function nestedSchema([token, ...rest]: readonly string[], value: Template): Template {
  if (token === undefined) return value;
  const inner = nestedSchema(rest, value);
  if (token === "*") return { type: "array", ...statedLimits("items", { least: 1 }), prefixItems: [inner] };
  return { type: "object", required: [token], properties: { [token]: inner } };
}

/** True when responses of these schemas show the field at a pointer. */
export function isFieldInResponse(
  context: ConformanceContext,
  schemas: readonly Schema[],
  [token, ...rest]: readonly string[],
): boolean {
  if (schemas.some(({ visibility }) => visibility !== undefined)) return false;
  if (token === undefined) return true;
  const inner = schemas.flatMap((schema) => shownProperties(context, schema).get(token) ?? []);
  if (inner.length === 0) return false;
  const always = inner.flatMap((schema) => unconditionalLayers(context, schema));
  return isFieldInResponse(context, always, rest);
}

/** The visible properties of a schema, by name, with `*` for items. */
function shownProperties(context: ConformanceContext, schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  return shownPropertiesCache(context.api, schema, () => findShownProperties(context, schema));
}

const shownPropertiesCache = memoizeByKey<Schema, ReadonlyMap<string, readonly Schema[]>>();

function findShownProperties(context: ConformanceContext, schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const byToken = new Map<string, Schema[]>();
  const add = (token: string, inner: Schema): void => void byToken.set(token, [...(byToken.get(token) ?? []), inner]);
  for (const { items, properties = [] } of new Set([
    ...unconditionalLayers(context, schema),
    ...schemaBranches(context, schema).flat(),
  ])) {
    if (items !== undefined) add("*", items);
    for (const { name, schema: inner } of properties) add(name, inner);
  }
  return byToken;
}

/** Fields that a request can set, with a body for each. */
export function fieldMutators(context: BodyCaseContext): readonly (readonly [BodyField, FieldMutator])[] {
  return context.fields.flatMap((field) => {
    if (field.readOnly) return [];
    const place = fieldMutator(context, field);
    return place === undefined ? [] : [[field, place] as const];
  });
}

/** The field in titles: `target`, or `AAAA: target` in a branch. */
export function fieldTitle({ pointer, branch }: BodyField): string {
  return branch === undefined ? toErrorField(pointer) : `${branch}: ${toErrorField(pointer)}`;
}
