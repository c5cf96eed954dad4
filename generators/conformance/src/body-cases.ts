import type { CallStep, Case, Expectation, CaseKind, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Schema } from "../../../packages/model/src/api.js";
import { findJsonContent } from "../../../packages/model/src/media.js";
import { memoizeByKey } from "../../../packages/model/src/incremental/memoize.js";
import { bodyFieldsOf, toErrorField, type BodyField } from "./body-fields.js";
import { createCase, requirementIds, type ConformanceContext } from "./context.js";
import { createdResource } from "./operation-info.js";
import { validateTemplate } from "./template-validation.js";
import { unconditionalLayers, intersectSchemas, schemaBranches } from "./schema-layers.js";
import { cleanupSteps } from "./cleanup-steps.js";
import { fieldMutator, valueAt, type BodyContext, type FieldMutator } from "./body-mutations.js";
import { prepareAcceptable } from "./acceptable-body.js";
import { callStep, setupStep, hasKnownPath, planRequest, type RequestPlan } from "./request-plan.js";
import { matchingSchema, expectedStoredValue } from "./expected-values.js";

/** The input of the cases of one operation's body. */
export interface BodyCaseContext extends BodyContext {
  readonly operation: Operation;
  /** The requirements of the body, else those of the operation. */
  readonly requirements: readonly string[];
  readonly shared: RequestPlan;
  readonly own: RequestPlan;
  readonly fields: readonly BodyField[];
  /** True when errors name the invalid field. */
  readonly namesFields: boolean;
  readonly rejectionStatus: number | readonly number[];
  /** The schema of a successful response. */
  readonly responseSchema: Schema | undefined;
  /** The read of the created or updated object. Its path refers to the response as `answer`. */
  readonly read: { readonly operation: Operation; readonly path: Readonly<Record<string, Template>> } | undefined;
}

/** Undefined for an operation without a JSON body, or with unknown objects in its path. */
export function bodyCaseContext(context: ConformanceContext, operation: Operation): BodyCaseContext | undefined {
  // With an unknown object in the path the server may respond 404 before it validates the body.
  if (!hasKnownPath(context, operation)) return undefined;
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  if (operation.requestBody === undefined || content === undefined) return undefined;
  const own = planRequest(context, operation, { objects: "own" });
  const shared = planRequest(context, operation, { objects: "shared" });
  const stated = [...requirementIds(content.schema.sources), ...requirementIds(operation.requestBody.sources)];
  const requirements = stated.length > 0 ? stated : requirementIds(operation.sources);
  const success = operation.responses.find(({ status }) => String(status).startsWith("2"));
  return {
    context,
    operation,
    requirements,
    shared,
    own,
    schema: content.schema,
    acceptedBody: own.call.body ?? {},
    nulls: operation.requestBody.input.nulls,
    fields: bodyFieldsOf(context, content.schema, requirements),
    namesFields: errorsNameFields(context, operation),
    rejectionStatus: rejectionStatusOf(operation),
    // A response that has the created object in a field shows values at other pointers than the request.
    responseSchema:
      (createdResource(context.api, operation)?.pointer ?? "") === ""
        ? success && findJsonContent(success.contents)?.schema
        : undefined,
    read: readOperation(context, operation, own),
  };
}

export interface CaseDescription {
  readonly kind: CaseKind;
  readonly idParts: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** A body to store first, so that the tested body differs from the stored one. */
  readonly initialBody?: Template;
}

/** Cases of a rejected body. Empty when the body may be valid. */
export function rejectedCases(
  around: BodyCaseContext,
  body: Template,
  { initialBody: earlier, ...description }: CaseDescription,
): readonly Case[] {
  const { context, operation, schema, nulls } = around;
  const found = validateTemplate(context, schema, body, nulls);
  const [first] = found;
  if (first === undefined) return [];
  const field = first.isAmbiguous || found.length > 1 ? undefined : first.path.join(".");
  const stored = earlier === undefined ? undefined : prepareAcceptable(around, earlier);
  const plan = stored === undefined ? around.shared : around.own;
  const steps = stored === undefined ? plan.setupSteps : [...stored.setupSteps, callStep(plan, { body: stored.body })];
  const error: Step = { ...callStep(plan, { body }), expect: expectRejectedField(around, field) };
  const left = earlier === undefined ? [] : cleanupSteps(around, [earlier]);
  const all = [...steps, error, ...left];
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
  const shown = isStored ? expectedStoredValue(context, field, { body, value }) : undefined;
  const expect = shown === undefined ? undefined : expectField(context, field.pointer, matchingSchema(shown));
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
  const left = cleanupSteps(around, bodies);
  return createCase(context, {
    operation,
    ...description,
    requires: own.requires,
    exclusive: own.exclusive,
    steps: [...steps, ...left],
  });
}

/** The call with a body, followed by a read; both responses must match. */
export function sendAndRead(context: BodyCaseContext, body: Template, shown: Template | undefined): readonly Step[] {
  const { own, read, responseSchema } = context;
  const expect: Pick<CallStep, "expect"> = shown === undefined ? {} : { expect: { body: shown } };
  const sent: Step = { ...callStep(own, { body }), as: "answer", ...(responseSchema === undefined ? {} : expect) };
  return read === undefined || shown === undefined ? [sent] : [sent, { ...readStep(context), ...expect }];
}

/** A read of the created or updated object. */
export function readStep({ own, read }: BodyCaseContext): CallStep {
  if (read === undefined) throw new RangeError("reading: no operation reads the object");
  const path = Object.keys(read.path).length === 0 ? {} : { path: read.path };
  return { call: read.operation.name, ...(own.call.by === undefined ? {} : { by: own.call.by }), ...path };
}

/** A JSON Schema of a response with a value in a field. Undefined when responses do not have the field. */
export function expectField(
  around: BodyCaseContext,
  pointer: readonly string[],
  value: Template,
): Template | undefined {
  const { context, responseSchema, read } = around;
  const isShown = (schema: Schema): boolean => isShownAt(context, [schema], pointer);
  const responses = read?.operation.responses.find(({ status }) => status === 200);
  const other = responses && findJsonContent(responses.contents)?.schema;
  const schemas = [responseSchema, ...(read === undefined ? [] : [other])].filter((each) => each !== undefined);
  return schemas.length > 0 && schemas.every(isShown) ? nestedSchema(pointer, value) : undefined;
}

/** A JSON Schema of a value with a nested schema at a pointer. */
export function nestedSchema([token, ...rest]: readonly string[], value: Template): Template {
  if (token === undefined) return value;
  const inner = nestedSchema(rest, value);
  if (token === "*") return { type: "array", minItems: 1, prefixItems: [inner] };
  return { type: "object", required: [token], properties: { [token]: inner } };
}

function isShownAt(
  context: ConformanceContext,
  schemas: readonly Schema[],
  [token, ...rest]: readonly string[],
): boolean {
  if (schemas.some(({ visibility }) => visibility !== undefined)) return false;
  if (token === undefined) return true;
  const inner = schemas.flatMap((schema) => shownProperties(context, schema).get(token) ?? []);
  if (inner.length === 0) return false;
  const always = inner.flatMap((schema) => unconditionalLayers(context, schema));
  return isShownAt(context, always, rest);
}

/** The visible properties of a schema, by name, with `*` for items. */
function shownProperties(context: ConformanceContext, schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  return shownPropertiesCache(context.api, schema, () => findShownProperties(context, schema));
}

const shownPropertiesCache = memoizeByKey<Schema, ReadonlyMap<string, readonly Schema[]>>();

function findShownProperties(context: ConformanceContext, schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, Schema[]>();
  const add = (token: string, inner: Schema): void => void found.set(token, [...(found.get(token) ?? []), inner]);
  for (const { items, properties = [] } of new Set([
    ...unconditionalLayers(context, schema),
    ...schemaBranches(context, schema).flat(),
  ])) {
    if (items !== undefined) add("*", items);
    for (const { name, schema: inner, writeOnly } of properties) if (!writeOnly) add(name, inner);
  }
  return found;
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

function readOperation(
  context: ConformanceContext,
  operation: Operation,
  { call }: RequestPlan,
): BodyCaseContext["read"] {
  const { api } = context;
  const made = createdResource(api, operation);
  if (made !== undefined) {
    const read = api.operations.find(({ name }) => name === made.resource.read);
    const parameters = read?.parameters.filter((each) => each.in === "path") ?? [];
    const last = parameters.at(-1);
    if (read === undefined || last === undefined) return undefined;
    const outer = parameters.slice(0, -1).map((each) => [each.name, call.path?.[each.name]] as const);
    if (outer.some(([, value]) => value === undefined)) return undefined;
    const own = [last.name, { $get: `answer#/body${made.pointer}/${last.reference?.by ?? "id"}` }] as const;
    return {
      operation: read,
      path: Object.fromEntries([...outer.map(([name, value]) => [name, value ?? null] as const), own]),
    };
  }
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const read = api.operations.find(({ method, path }) => method === "GET" && path === operation.path && path !== "");
  return read === undefined ? undefined : { operation: read, path: call.path ?? {} };
}

/** True when the error body has entries with a field. */
function errorsNameFields(context: ConformanceContext, operation: Operation): boolean {
  const response = operation.responses.find(({ status }) => status === 400 || status === "4XX" || status === "default");
  const schema = response && findJsonContent(response.contents)?.schema;
  if (schema === undefined) return false;
  const errors = unconditionalLayers(context, schema).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => name === "errors"),
  );
  const items = errors.flatMap((each) => unconditionalLayers(context, each.schema)).flatMap((each) => each.items ?? []);
  if (items.length === 0) return false;
  const names = new Set(
    unconditionalLayers(context, intersectSchemas(items)).flatMap(({ properties = [] }) =>
      properties.map(({ name }) => name),
    ),
  );
  return names.has("field") && names.has("reason");
}

/** The status for an invalid body: 400 or 422, whichever is documented. */
function rejectionStatusOf({ responses }: Operation): number | readonly number[] {
  const described = [400, 422].filter((status) => responses.some((response) => response.status === status));
  const [first] = described;
  return described.length === 1 && first !== undefined ? first : [400, 422];
}
