import type { Case, Template } from "@plumbline/conformance-runtime";
import { enumValues, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { requirementIds } from "../../context/context.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { escapePointerToken, requiredResponseFields } from "./undocumented-input.js";
import { fieldMutator, schemaSamples, valueAt } from "../../values/body-mutations.js";
import { callStep, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { createAcceptedCase, fieldTitle, readStep, expectField } from "./body-cases.js";
import { matchingSchema, expectedStoredValue } from "../../values/expected-values.js";
import { isAcceptable, prepareAcceptable, type BodyPreparation } from "../../requests/acceptable-body.js";

/** Cases of partial updates: an update of one field keeps all others. */
export function partialUpdateCases(context: BodyCaseContext, field: BodyField): readonly Case[] {
  const { own, fields, requirements, operation } = context;
  if (field.layers.some(({ reference }) => reference !== undefined)) return [];
  const body = bodyWithOnly(context, field);
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
  const kept = siblings.flatMap(({ pointer }) => {
    // An optional field may be absent unless a request has set it.
    const isThere = pointer.length > 1 || always.has(pointer[0] ?? "") || valueAt(filled, pointer) !== undefined;
    if (!isThere) return [];
    const shown = expectField(context, pointer, {
      const: { $get: `before#/body/${pointer.map(escapePointerToken).join("/")}` },
    });
    return shown === undefined ? [] : [shown];
  });
  if (kept.length === 0) return [];
  const stated = requirementIds(operation.requestBody?.sources);
  const name = fieldTitle(field);
  const value = valueAt(body, field.pointer);
  const isNew = JSON.stringify(value ?? null).includes('"$unique"');
  const shown = value === undefined || isNew ? undefined : expectedStoredValue(context, field, { body, value });
  const changed = shown === undefined ? undefined : expectField(context, field.pointer, matchingSchema(shown));
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
        ...(JSON.stringify(filled) === "{}" ? [] : [setupStep(callStep(own, { body: filled }))]),
        { ...readStep(context), as: "before" },
        callStep(own, { body }),
        { ...readStep(context), expect: { body: { allOf: [...kept, ...(changed === undefined ? [] : [changed])] } } },
      ],
    ),
  ];
}

/** The requirements of the object that has a field. */
function otherFieldsBody({ context, schema, fields }: BodyCaseContext, { pointer }: BodyField): readonly string[] {
  const outer = pointer.slice(0, -1).join("/");
  const holder = fields.find((each) => each.pointer.join("/") === outer);
  return holder?.requirements ?? unconditionalLayers(context, schema).flatMap(({ sources }) => requirementIds(sources));
}

/** The other fields with values that differ from the initial ones, so that kept and reset values can be distinguished. */
function otherFieldValue(
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
    const both = mergeBodies(before, body);
    // Fields of another branch do not matter here.
    return JSON.stringify(prepareAcceptable(bare, both)?.setupSteps) === JSON.stringify(standing.setupSteps)
      ? both
      : before;
  }, {});
}

/** Merges two bodies deeply. */
function mergeBodies(below: Template, above: Template): Template {
  if (!isPlainObject(below) || !isPlainObject(above)) return above;
  const entries = Object.entries(above).map(([name, value]) => {
    const under = below[name];
    return [name, under === undefined ? value : mergeBodies(under, value)] as const;
  });
  return { ...below, ...Object.fromEntries(entries) };
}

/** Unique fields cannot have constants: another object may have the value already. */
export function uniqueFieldPaths({ context, read }: BodyCaseContext): readonly string[] {
  const resource = context.api.resources.find((each) => each.read === read?.operation.name);
  const schema = resource === undefined ? undefined : context.schemas.get(resource.name);
  return (schema?.limits ?? []).flatMap(({ kind, by = [] }) => (kind === "unique" ? by : []));
}

const bodies = new WeakMap<RequestPlan, Map<BodyField, Template | undefined>>();

/** A body with this field alone, if possible with another value than the initial one. */
function bodyWithOnly(context: BodyCaseContext, field: BodyField): Template | undefined {
  const found = bodies.get(context.own) ?? new Map<BodyField, Template | undefined>();
  bodies.set(context.own, found);
  // Cached, since each field needs the bodies of all others.
  if (!found.has(field)) found.set(field, findOnlyWith(context, field));
  return found.get(field);
}

function findOnlyWith(context: BodyCaseContext, field: BodyField): Template | undefined {
  const known = valueAt(context.acceptedBody, field.pointer);
  const bare = { ...context, acceptedBody: {} };
  const place = fieldMutator(bare, field);
  if (place === undefined) return undefined;
  const others = known === undefined ? schemaSamples(context.context, [field.schema]) : [known];
  const types = allowedTypes(field);
  const isNumber = types.includes("integer") || types.includes("number");
  // Values that are rarely initial ones.
  const chosen = [
    ...(types.includes("boolean") ? [false] : isNumber && enumValues(field) === undefined ? [3] : []),
    ...others,
  ];
  // An empty value may equal the stored one.
  const isEmpty = (value: Template): boolean => value === 0 || value === "" || JSON.stringify(value) === "[]";
  const ordered = [...chosen.filter((each) => !isEmpty(each)), ...chosen.filter(isEmpty)];
  return ordered
    .map((value) =>
      typeof value === "number" ? (place.findBodyWith(value) ?? place.replaceWith(value)) : place.replaceWith(value),
    )
    .find((body) => isAcceptable(bare, body, field));
}
