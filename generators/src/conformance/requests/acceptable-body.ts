import type { MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { findJsonContent, type JsonType, ownValue, type Schema } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { bodyFieldsOf, type BodyField } from "../values/body-fields.js";
import { schemaSamples, valueAt, withValue } from "../values/body-mutations.js";
import { defaultValue, expectedStoredValue } from "../values/expected-values.js";
import { isPlainObject } from "../values/partial-evaluation.js";
import { unconditionalLayers } from "../values/schema-layers.js";
import { validateTemplate } from "../values/template-validation.js";
import type { BodyCaseContext } from "./body-request.js";
import { makersOf } from "./created-resources.js";
import { fixturesOf } from "./fixtures.js";
import { planRequest, type RequestPlan } from "./request-plan.js";

/** A body that is accepted after some setup steps. */
export interface BodyPreparation {
  /** The setup steps. */
  readonly setupSteps: readonly Step[];
  /** The body, with references to objects of these steps. */
  readonly body: Template;
}

/**
 * Prepares a body so that it is accepted. Undefined when rules beyond its schema may reject it: references, the stored object, undocumented
 * rules. The reference in the tested field is not replaced.
 */
export function prepareAcceptable(
  around: BodyCaseContext,
  requestBody: Template,
  tested?: BodyField,
): BodyPreparation | undefined {
  const { context, schema, nulls, fields, own } = around;
  if (validateTemplate(context, schema, requestBody, nulls).length > 0) return undefined;
  const references = fields.flatMap((field) => (isFree(around, field, requestBody) ? [] : [field]));
  const supplied = references.map((field) => (field === tested ? undefined : referenceSupply(around, field)));
  if (supplied.includes(undefined)) return undefined;
  const supplies = supplied.filter((each) => each !== undefined);
  const body = supplies.reduce((before, { pointer, value }) => withValue(before, pointer, value), requestBody);
  const makes = new Map(supplies.map(({ fixture }) => [fixture.as, fixture] as const));
  const before = [...own.setupSteps, ...makes.values()];
  const merged = around.operation.requestBody?.input.merged;
  const whole = merged === undefined ? undefined : context.schemas.get(merged);
  if (whole === undefined) return { setupSteps: before, body };
  for (const { stored, bodyFields } of storedVariants(around)) {
    const changed = { ...emptyOf(context, whole), ...stored, ...storedPart(around, body) };
    // Read-only fields are unknown here.
    const wrong = validateTemplate(context, whole, changed, "validated").filter(
      ({ keyword }) => keyword !== "required",
    );
    if (wrong.length === 0) return { setupSteps: withLaid(before, bodyFields), body };
  }
  return undefined;
}

export function isAcceptable(context: BodyCaseContext, body: Template, tested?: BodyField): boolean {
  return prepareAcceptable(context, body, tested) !== undefined;
}

interface ReferenceSupply {
  readonly pointer: readonly string[];
  readonly fixture: MakeStep;
  readonly value: Template;
}

/** An object for a reference, created by its fixture. Not for references with a parent or a condition. */
function referenceSupply(
  { context, operation }: BodyCaseContext,
  { pointer, layers, property }: BodyField,
): ReferenceSupply | undefined {
  const reference = layers.find((part) => part.reference !== undefined)?.reference;
  if (reference === undefined || (operation.method !== "POST" && property?.mutability !== undefined)) return undefined;
  if (reference.of !== undefined || reference.where !== undefined) return undefined;
  if (context.resources.get(reference.to)?.parent !== undefined || !hasFixture(context, reference.to)) return undefined;
  const as = `named-${objectName(reference.to)}`;
  return { pointer, fixture: { make: reference.to, as }, value: { $get: `${as}#/${reference.by ?? "id"}` } };
}

const fixtureNamesCache = new WeakMap<ConformanceContext, ReadonlySet<string>>();

function hasFixture(context: ConformanceContext, resource: string): boolean {
  const names = fixtureNamesCache.get(context) ?? new Set(Object.keys(fixturesOf(context)));
  fixtureNamesCache.set(context, names);
  return names.has(resource);
}

/** True when a field has the value of the valid request, or depends on its schema only. */
function isFree({ context, operation, acceptedBody }: BodyCaseContext, field: BodyField, body: Template): boolean {
  const value = valueAt(body, field.pointer);
  if (value === undefined || value === null) return true;
  if (JSON.stringify(value) === JSON.stringify(valueAt(acceptedBody, field.pointer))) return true;
  const change = field.property?.mutability;
  if (operation.method !== "POST" && change !== undefined && JSON.stringify(change.to) !== JSON.stringify(value))
    return false;
  const evaluated = context.settings.operations[operation.name]?.fixed ?? [];
  if (evaluated.includes(field.pointer.join("."))) return false;
  const isMade = field.layers.some(({ reference }) => reference?.onNotFound === "create");
  return !field.isReference || isMade;
}

interface StoredObject {
  readonly stored: Readonly<Record<string, Template>>;
  /** Fields to add to the request of the fixture. */
  readonly bodyFields: Readonly<Record<string, Template>>;
}

/** Cached by the operation's own plan, which does not depend on the tested body. */
const cache = new WeakMap<RequestPlan, readonly StoredObject[]>();

/** The variants of the path's object: as created, and in each other branch. */
export function storedVariants(context: BodyCaseContext): readonly StoredObject[] {
  const earlier = cache.get(context.own);
  if (earlier !== undefined) return earlier;
  const variants = variantsOfCreated(context);
  cache.set(context.own, variants);
  return variants;
}

function variantsOfCreated({ context, read }: BodyCaseContext): readonly StoredObject[] {
  const resource = context.api.resources.find((each) => each.read === read?.operation.name);
  const makers = resource === undefined ? [] : makersOf(context.api, resource);
  const list = context.operations.get(resource?.list ?? "");
  const maker = makers.find((each) => each.path === list?.path) ?? makers[0];
  const schema = maker?.requestBody && findJsonContent(maker.requestBody.contents)?.schema;
  if (resource === undefined || maker === undefined || schema === undefined) return [{ stored: {}, bodyFields: {} }];
  const { body = {} } = planRequest(context, maker, { objects: "shared" }).call;
  const base = isPlainObject(body) ? body : {};
  const defaults = defaultsOf(bodyFieldsOf(context, schema, []));
  const forms = schemaSamples(context, [schema])
    .filter(isPlainObject)
    // Unique values stay templates: another worker may have a constant already.
    .map((laid) => Object.fromEntries(Object.entries(laid).filter(([name]) => !isUnique(ownValue(base, name)))))
    .filter((bodyFields) => validateTemplate(context, schema, { ...base, ...bodyFields }, "absent").length === 0);
  return [
    { stored: { ...defaults, ...base }, bodyFields: {} },
    ...forms.map((bodyFields) => ({ stored: { ...defaults, ...base, ...bodyFields }, bodyFields })),
  ];
}

/** The values of fields that were never set. */
function emptyOf(context: ConformanceContext, schema: Schema): Readonly<Record<string, Template>> {
  const always = unconditionalLayers(context, schema);
  const properties = always.flatMap((part) => part.properties ?? []).filter(({ readOnly }) => !readOnly);
  return Object.fromEntries(
    properties.flatMap((property) => {
      const types = new Set(unconditionalLayers(context, property.schema).flatMap((part) => part.types));
      const value = empties.find(([type]) => types.has(type))?.[1];
      const isSure = value !== undefined && validateTemplate(context, property.schema, value, "validated").length === 0;
      return isSure && property.required ? [[property.name, value] as const] : [];
    }),
  );
}

const empties: readonly (readonly [JsonType, Template])[] = [
  ["null", null],
  ["array", []],
  ["string", ""],
  ["integer", 0],
];

function defaultsOf(fields: readonly BodyField[]): Readonly<Record<string, Template>> {
  const entries = fields
    .filter(({ pointer }) => pointer.length === 1)
    .flatMap((field) => {
      const value = defaultValue(field);
      return value === undefined ? [] : [[field.pointer[0] ?? "", value] as const];
    });
  return Object.fromEntries(entries);
}

/** With other fields for the path's object: the last one that the case creates. */
export function withLaid(before: readonly Step[], laid: Readonly<Record<string, Template>>): readonly Step[] {
  if (Object.keys(laid).length === 0) return before;
  const creation = before.findLast((step) => "make" in step && step.fresh === true);
  return before.map((step) => {
    if (step !== creation || !("make" in step)) return step;
    return { ...step, with: isPlainObject(step.with) ? { ...step.with, ...laid } : laid };
  });
}

/** The stored form of a body: normalized values, without nulls that count as absent. */
function storedPart(context: BodyCaseContext, body: Template): Readonly<Record<string, Template>> {
  const fields = isPlainObject(body) ? body : {};
  const sent = Object.entries(fields).filter(([, value]) => context.nulls === "validated" || value !== null);
  return Object.fromEntries(
    sent.map(([name, value]) => {
      const field = context.fields.find(({ pointer }) => pointer.length === 1 && pointer[0] === name);
      return [name, (field && expectedStoredValue(context, field, { body, value })) ?? value] as const;
    }),
  );
}

function isUnique(value: Template | undefined): boolean {
  return JSON.stringify(value ?? null).includes('"$unique"');
}
