import type { Case, Template } from "@plumbline/conformance-runtime";
import { findJsonContent } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import {
  isAcceptable,
  prepareAcceptable,
  storedVariants,
  type BodyPreparation,
} from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { creatorsOf, readResources } from "../../requests/created-resources.js";
import { callStep, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { bodyWithDefaults } from "../../values/absent-values.js";
import { violatesBodyRule } from "../../values/body-errors.js";
import { bodyFieldsOf, enumValues, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { fieldMutator, schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { matchingSchema, expectedStoredValue } from "../../values/expected-values.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { toLiteral } from "../../values/samples.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { createAcceptedCase, fieldTitle, readStep, expectField } from "./body-cases.js";
import { requiredResponseFields } from "./undocumented-input.js";
import { withUniqueTexts } from "./unique-texts.js";

/** Cases of partial updates: an update of one field keeps all others. */
export function partialUpdateCases(context: BodyCaseContext, field: BodyField): readonly Case[] {
  const { own, fields, requirements, operation } = context;
  if (field.layers.some(({ reference }) => reference !== undefined)) return [];
  const only = bodyWithOnly(context, field);
  const body = only && withUniqueTexts(context, only, undefined).body;
  const standing = body === undefined ? undefined : prepareAcceptable(context, body, field);
  if (body === undefined || standing === undefined) return [];
  const depth = field.pointer.length;
  const siblings = fields.filter(
    ({ pointer }) =>
      pointer.length === depth &&
      pointer.slice(0, -1).join("/") === field.pointer.slice(0, -1).join("/") &&
      !pointer.includes("*") &&
      pointer.at(-1) !== field.pointer.at(-1),
  );
  const filled = otherFieldValue(context, siblings, standing);
  const always = requiredResponseFields(context);
  const same = siblings.flatMap(({ pointer }) => {
    // An optional field may be absent unless a request has set it.
    const isThere = pointer.length > 1 || always.has(pointer[0] ?? "") || valueAt(filled, pointer) !== undefined;
    if (!isThere) return [];
    const expected = expectField(context, pointer, {
      const: { $get: `before#/body/${pointer.map(escapePointerToken).join("/")}` },
    });
    return expected === undefined ? [] : [expected];
  });
  if (same.length === 0) return [];
  const stated = requirementIds(operation.requestBody?.sources);
  const name = fieldTitle(field);
  const changed = changedValue(context, field, body);
  const other = otherEnumValue(context, field, body);
  return [
    createAcceptedCase(
      context,
      {
        kind: "changes",
        idParts: [name, "alone"],
        title: `${name}: updated alone, the other fields are unchanged`,
        requirements: [
          ...new Set([...(stated.length === 0 ? requirements : stated), ...otherFieldsBody(context, field)]),
        ],
      },
      [
        ...standing.setupSteps,
        // The other fields are stored last, so that an update which resets them shows.
        ...(other === undefined ? [] : [callStep(own, { body: other.body })]),
        ...(JSON.stringify(filled) === "{}" ? [] : [setupStep(callStep(own, { body: filled }))]),
        { ...readStep(context), as: "before", ...(other === undefined ? {} : { expect: { body: other.expected } }) },
        { ...callStep(own, { body }), as: "changed" },
        { ...readStep(context), expect: { body: { allOf: [...same, ...(changed === undefined ? [] : [changed])] } } },
      ],
    ),
  ];
}

/** Another value of an enum, stored before an update whose value may be the initial one. */
function otherEnumValue(
  context: BodyCaseContext,
  field: BodyField,
  body: Template,
): { readonly body: Template; readonly expected: Template } | undefined {
  if (valueAt(initialObject(context), field.pointer) !== undefined) return undefined;
  const bare = { ...context, acceptedBody: {} };
  const value = JSON.stringify(valueAt(body, field.pointer));
  for (const each of (enumValues(field) ?? []).map(toLiteral)) {
    const changed = withValue(body, field.pointer, each);
    const expected = expectField(context, field.pointer, { const: each });
    const setup = JSON.stringify(prepareAcceptable(bare, body, field)?.setupSteps);
    const isPossible = JSON.stringify(prepareAcceptable(bare, changed, field)?.setupSteps) === setup;
    if (JSON.stringify(each) !== value && each !== null && expected !== undefined && isPossible)
      return { body: changed, expected };
  }
  return undefined;
}

/** The changed field in later reads: its stored value, or another one than before if only the server knows it. */
function changedValue(context: BodyCaseContext, field: BodyField, body: Template): Template | undefined {
  const { pointer } = field;
  const value = valueAt(body, pointer);
  if (value === undefined) return undefined;
  const way = pointer.map(escapePointerToken).join("/");
  const isNew = JSON.stringify(value).includes('"$unique"');
  const stored = expectedStoredValue(context, field, { body, value });
  if (stored !== undefined && !isNew) return expectField(context, pointer, matchingSchema(stored));
  if (isTemplateList(value)) return undefined;
  if (isNew && stored !== undefined)
    return expectField(context, pointer, { const: { $get: `changed#/request/body/${way}` } });
  return isEmptyValue(value) || isInitialValue(context, field, body)
    ? undefined
    : expectField(context, pointer, { not: { const: { $get: `before#/body/${way}` } } });
}

/** The requirements of the object that has a field. */
function otherFieldsBody({ context, schema, fields }: BodyCaseContext, { pointer }: BodyField): readonly string[] {
  const outer = pointer.slice(0, -1).join("/");
  const holder = fields.find((each) => each.pointer.join("/") === outer);
  return holder?.requirements ?? unconditionalLayers(context, schema).flatMap(({ sources }) => requirementIds(sources));
}

/** The other fields with values that differ from the initial ones, so that kept and reset values can be distinguished. */
export function otherFieldValue(
  context: BodyCaseContext,
  siblings: readonly BodyField[],
  standing: BodyPreparation,
): Template {
  const bare = { ...context, acceptedBody: {} };
  const unique = new Set(uniqueFieldPaths(context));
  const plain = siblings.filter(
    (field) =>
      !unique.has(field.pointer[0] ?? "") &&
      !field.isReference &&
      !field.readOnly &&
      field.property?.mutability === undefined,
  );
  return plain.reduce<Template>((before, field) => {
    const body = bodyWithOnly(context, field);
    if (body === undefined || JSON.stringify(body).includes('"$unique"')) return before;
    const isPossible = (both: Template): boolean =>
      // Fields of another branch do not matter here.
      JSON.stringify(prepareAcceptable(bare, both)?.setupSteps) === JSON.stringify(standing.setupSteps) &&
      !violatesStoredRule(context, [both]) &&
      !violatesStoredRule(context, [both, standing.body]);
    const isNumber = typeof valueAt(body, field.pointer) === "number";
    const bodies = [body, ...(isNumber ? otherNumbers.map((each) => withValue(body, field.pointer, each)) : [])];
    return bodies.map((each) => mergeBodies(before, each)).find(isPossible) ?? before;
  }, {});
}

/** Numbers for a bound that has to admit what is stored: a minimum, a maximum. */
const otherNumbers: readonly number[] = [1, 10];

/** Merges two bodies deeply. */
export function mergeBodies(below: Template, above: Template): Template {
  if (!isPlainObject(below) || !isPlainObject(above)) return above;
  const entries = Object.entries(above).map(([name, value]) => {
    const under = below[name];
    return [name, under === undefined ? value : mergeBodies(under, value)] as const;
  });
  return { ...below, ...Object.fromEntries(entries) };
}

/** Unique fields cannot have constants: another object may have the value already. */
export function uniqueFieldPaths({ context, read }: BodyCaseContext): readonly string[] {
  const resource = readResources(context.api).get(read?.operation.name ?? "");
  const schema = resource === undefined ? undefined : context.schemas.get(resource.name);
  return (schema?.limits ?? []).flatMap(({ kind, by = [] }) => (kind === "unique" ? by : []));
}

const bodies = new WeakMap<RequestPlan, Map<BodyField, Template | undefined>>();

/** A body with this field alone, if possible with another value than the initial one. */
export function bodyWithOnly(context: BodyCaseContext, field: BodyField): Template | undefined {
  const cached = bodies.get(context.own) ?? new Map<BodyField, Template | undefined>();
  bodies.set(context.own, cached);
  // Cached, since each field needs the bodies of all others.
  if (!cached.has(field)) cached.set(field, findOnlyWith(context, field));
  return cached.get(field);
}

function findOnlyWith(context: BodyCaseContext, field: BodyField): Template | undefined {
  const acceptedValue = valueAt(context.acceptedBody, field.pointer);
  const bare = { ...context, acceptedBody: {} };
  const place = fieldMutator(bare, field);
  if (place === undefined) return undefined;
  const others = acceptedValue === undefined ? schemaSamples(context.context, [field.schema]) : [acceptedValue];
  const types = allowedTypes(field);
  const isNumber = types.includes("integer") || types.includes("number");
  // Values that are rarely initial ones.
  const chosen = [
    ...(types.includes("boolean") ? [false, true] : isNumber && enumValues(field) === undefined ? [3] : []),
    ...others,
    ...(types.includes("array") ? filledLists(context, field) : []),
    ...(types.includes("object") ? filledObjects(context, field) : []),
    ...(enumValues(field) ?? []).map(toLiteral),
  ];
  const bodiesOf = (values: readonly Template[]): readonly Template[] =>
    values
      .map((value) =>
        typeof value === "number" ? (place.findBodyWith(value) ?? place.replaceWith(value)) : place.replaceWith(value),
      )
      .filter((body) => isAcceptable(bare, body, field) && !violatesStoredRule(context, [body]));
  // An empty value may equal the stored one.
  const ordered = [...chosen.filter((each) => !isEmptyValue(each)), ...chosen.filter(isEmptyValue)];
  const candidates = bodiesOf(ordered);
  // An update with the stored value could not fail where it is ignored.
  return candidates.find((body) => !isInitialValue(context, field, body)) ?? candidates[0];
}

/** True when a described error rejects updates of the object in this order. */
export function violatesStoredRule(context: BodyCaseContext, updates: readonly Template[]): boolean {
  const whole = context.context.schemas.get(context.operation.requestBody?.input.merged ?? "") ?? context.schema;
  const stored = updates.reduce(mergeBodies, initialObject(context));
  return violatesBodyRule({ ...context, schema: whole }, stored);
}

/** The object as its creation leaves it, as far as the description says. */
function initialObject(context: BodyCaseContext): Template {
  const { api } = context.context;
  const [first] = storedVariants(context);
  const resource = readResources(api).get(context.read?.operation.name ?? "");
  const creator = resource && creatorsOf(api, resource)[0];
  const content = creator?.requestBody && findJsonContent(creator.requestBody.contents);
  if (content === undefined) return first?.stored ?? {};
  const fields = bodyFieldsOf(context.context, content.schema, []);
  const body = first?.stored ?? {};
  return bodyWithDefaults({ ...context, schema: content.schema }, fields, { body, lookup: () => undefined });
}

function isEmptyValue(value: Template): boolean {
  return value === 0 || value === "" || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}";
}

function filledLists({ context }: BodyCaseContext, { layers }: BodyField): readonly Template[] {
  const items = layers.flatMap((part) => part.items ?? []).slice(0, 1);
  return items.length === 0 ? [] : schemaSamples(context, items).map((each) => [each]);
}

/** Objects with one of their fields. */
function filledObjects(context: BodyCaseContext, field: BodyField): readonly Template[] {
  const inner = context.fields.filter(
    ({ pointer, readOnly }) =>
      !readOnly &&
      pointer.length === field.pointer.length + 1 &&
      !pointer.includes("*") &&
      pointer.slice(0, -1).join("/") === field.pointer.join("/"),
  );
  return inner.flatMap((each) => {
    const body = bodyWithOnly(context, each);
    const value = body === undefined ? undefined : valueAt(body, field.pointer);
    return value === undefined ? [] : [value];
  });
}

/** True for the value that the object certainly has before the update: its default, or that of the fixture. */
function isInitialValue(context: BodyCaseContext, field: BodyField, body: Template): boolean {
  const value = valueAt(body, field.pointer);
  const prepared = prepareAcceptable(context, body, field);
  const creation = prepared?.setupSteps.findLast((step) => "make" in step && step.fresh === true);
  const laid = creation !== undefined && "make" in creation ? valueAt(creation.with, field.pointer) : undefined;
  const initial = laid ?? valueAt(initialObject(context), field.pointer);
  const isNew = JSON.stringify(value ?? null).includes('"$unique"');
  return initial !== undefined && !isNew && JSON.stringify(initial) === JSON.stringify(value);
}
