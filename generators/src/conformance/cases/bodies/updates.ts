import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { type Mutability, type ErrorDefinition, memoize } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import { isAcceptable, prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep } from "../../requests/request-plan.js";
import { allowedTypes, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, type FieldMutator } from "../../values/body-mutations.js";
import { matchingSchema, expectedStoredValue } from "../../values/expected-values.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { toLiteral } from "../../values/samples.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { textSalt } from "../../values/texts.js";
import {
  createAcceptedCase,
  fieldTitle,
  readStep,
  expectRejectedField,
  expectField,
  type CaseDescription,
} from "./body-cases.js";
import { partialUpdateCases } from "./partial-updates.js";
import { thereAndBackCases } from "./there-and-back.js";
import { requiredResponseFields, responseFields } from "./undocumented-input.js";

/** Cases of updates: fields that they keep, and repeated updates. */
export function updateCases(
  context: BodyCaseContext,
  places: readonly (readonly [BodyField, FieldMutator])[],
): readonly Case[] {
  const { operation, read } = context;
  if (read === undefined || (operation.method !== "PUT" && operation.method !== "PATCH")) return [];
  const top = places.filter(([{ pointer }]) => pointer.length === 1);
  const keeps = operation.requestBody?.input.absent === "keep";
  return [
    ...(keeps ? top.flatMap(([field]) => partialUpdateCases(context, field)) : []),
    ...(keeps
      ? places
          .filter(([{ pointer }]) => pointer.length > 1 && pointer.length < 4 && !pointer.includes("*"))
          .flatMap(([field]) => partialUpdateCases(context, field))
      : []),
    ...top.flatMap(([field, place]) => listCases(context, field, place)),
    ...top.flatMap(([field, place]) => changeCases(context, field, place)),
    ...places
      .filter(([{ pointer }]) => pointer.length === 2)
      .flatMap(([field, place]) => changeCases(context, field, place)),
    ...(keeps ? [] : replacingCases(context)),
    ...sameCases(context),
    ...thereAndBackCases(context),
    ...unchangedCases(context),
    ...partialCases(context, places),
  ];
}

/** A list replaces the stored one. */
function listCases(around: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  if (!allowedTypes(field).includes("array")) return [];
  const { own, context } = around;
  const items = field.layers.flatMap((part) => part.items ?? []).slice(0, 1);
  const samples = items.length === 0 ? [] : schemaSamples(context, items);
  const salt = textSalt(`${around.operation.name} ${fieldTitle(field)}`);
  const lists = [
    [`${salt}-1`],
    [`${salt}-2`],
    ...samples.map((each) => [each]),
    ...samples.slice(0, 1).map((each) => [each, each]),
  ]
    .map((list) => ({ list, body: place.replaceWith(list) }))
    .filter(({ body }) => isAcceptable(around, body, field));
  const [first, second] = lists;
  const expected =
    second === undefined
      ? undefined
      : expectField(
          around,
          field.pointer,
          matchingSchema(expectedStoredValue(around, field, { body: second.body, value: second.list }) ?? second.list),
        );
  if (first === undefined || second === undefined || expected === undefined) return [];
  const steps: readonly Step[] = [
    ...(prepareAcceptable(around, first.body, field)?.setupSteps ?? own.setupSteps),
    callStep(own, { body: first.body }),
    callStep(own, { body: second.body }),
    { ...readStep(around), expect: { body: expected } },
  ];
  return [createAcceptedCase(around, about(field, "replaced", "a list replaces the stored one"), steps)];
}

/** With `absent: clear` a body replaces the stored one, with all of its fields. */
function replacingCases(around: BodyCaseContext): readonly Case[] {
  const { own, operation, requirements, context, schema } = around;
  const isOpen = unconditionalLayers(context, schema).every(
    ({ additionalProperties }) => additionalProperties?.never !== true,
  );
  const [first, second]: readonly Template[] = [{ plumbline_first: "text" }, { plumbline_second: "text" }];
  if (!isOpen || first === undefined || second === undefined) return [];
  if (!isAcceptable(around, first) || !isAcceptable(around, second)) return [];
  const stated = requirementIds(operation.requestBody?.sources);
  const replaced: Template = {
    type: "object",
    required: ["plumbline_second"],
    not: { type: "object", required: ["plumbline_first"] },
  };
  return [
    createAcceptedCase(
      around,
      {
        kind: "changes",
        idParts: ["replaced"],
        title: "the body replaces everything that was stored",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.setupSteps,
        callStep(own, { body: first }),
        callStep(own, { body: second }),
        { ...readStep(around), expect: { body: replaced } },
      ],
    ),
  ];
}

/** Fields that can change in one direction only. */
function changeCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const change = field.property?.mutability;
  if (change === undefined) return [];
  if (change.rule === "one-way") return oneWayCases(context, field, place, change);
  if (change.rule === "immutable") return fixedCases(context, field, place, change);
  return [];
}

function failureOf({ operation, context }: BodyCaseContext, change: Mutability): ErrorDefinition | undefined {
  const all = [...operation.errors, ...context.api.errors, ...errorsOfSchemas(context.api)];
  return all.find(({ id }) => id === change.error);
}

/** The errors that schemas name. */
const errorsOfSchemas = memoize((api) => api.schemas.flatMap(({ schema }) => schema.errors ?? []));

/** The expectation of a described error. */
function expectFieldError(context: BodyCaseContext, field: BodyField, error: ErrorDefinition): Step {
  const blamed = error.field === undefined ? fieldTitle(field) : error.field;
  const { expect } = { expect: expectRejectedField(context, blamed ?? "") };
  return { ...callStep(context.own, {}), expect: { ...expect, status: error.status } };
}

function about(field: BodyField, what: string, says: string): CaseDescription {
  const name = fieldTitle(field);
  return { kind: "changes", idParts: [name, what], title: `${name}: ${says}`, requirements: field.requirements };
}

function oneWayCases(
  context: BodyCaseContext,
  field: BodyField,
  place: FieldMutator,
  change: Mutability,
): readonly Case[] {
  const { own } = context;
  const error = failureOf(context, change);
  const isBoolean = allowedTypes(field).includes("boolean");
  if (error === undefined || change.to === undefined || !isBoolean) return [];
  const to = toLiteral(change.to);
  const back = change.to !== true;
  const there: Step = { ...callStep(own, { body: place.replaceWith(to) }) };
  const rejectedUndo: Step = { ...expectFieldError(context, field, error), body: place.replaceWith(back) };
  const expected = expectField(context, field.pointer, { const: to });
  const read: Step[] = expected === undefined ? [] : [{ ...readStep(context), expect: { body: expected } }];
  return [
    createAcceptedCase(
      context,
      about(field, "one-way", `${JSON.stringify(change.to)} is accepted, and cannot be undone`),
      [...own.setupSteps, there, ...read, rejectedUndo, ...read],
    ),
  ];
}

/** Immutable fields: their stored value is accepted, any other is rejected. */
function fixedCases(
  around: BodyCaseContext,
  field: BodyField,
  place: FieldMutator,
  change: Mutability,
): readonly Case[] {
  const { own, context } = around;
  const current: Template = { $get: `before#/body/${field.pointer.map(escapePointerToken).join("/")}` };
  const expected = expectField(around, field.pointer, { const: current });
  if (expected === undefined) return [];
  const before: Step = { ...readStep(around), as: "before" };
  const read: Step = { ...readStep(around), expect: { body: expected } };
  const repeated = createAcceptedCase(around, about(field, "repeated", "its stored value is accepted"), [
    ...own.setupSteps,
    before,
    callStep(own, { body: place.replaceWith(current) }),
    read,
  ]);
  const error = failureOf(around, change);
  const others = schemaSamples(context, [field.schema]).slice(-1);
  return [
    repeated,
    ...others.map((value) =>
      createAcceptedCase(
        around,
        about(field, "changed", error === undefined ? "another value is ignored" : "another value is rejected"),
        [
          ...own.setupSteps,
          before,
          error === undefined
            ? callStep(own, { body: place.replaceWith(value) })
            : { ...expectFieldError(around, field, error), body: place.replaceWith(value) },
          read,
        ],
      ),
    ),
  ];
}

/** A repeated update changes nothing. Unique values are those of the first request. */
function sameCases(context: BodyCaseContext): readonly Case[] {
  const { own, acceptedBody, requirements, operation } = context;
  const stated = requirementIds(operation.requestBody?.sources);
  const names = stableFields(context, acceptedBody);
  if (names.length === 0 || !isPlainObject(acceptedBody)) return [];
  return [sameCase(context, names, acceptedBody, stated.length === 0 ? requirements : stated, own.setupSteps)];
}

function sameCase(
  context: BodyCaseContext,
  names: readonly string[],
  body: Template,
  requirements: readonly string[],
  before: readonly Step[],
): Case {
  const { own } = context;
  const again: Template = { $get: "once#/request/body" };
  return createAcceptedCase(
    context,
    { kind: "changes", idParts: ["again"], title: "a repeated update has no further effect", requirements },
    [
      ...before,
      { ...callStep(own, { body }), as: "once" },
      { ...readStep(context), as: "first" },
      callStep(own, { body: again }),
      { ...readStep(context), expect: { body: storedFields(names, "first") } },
    ],
  );
}

function storedFields(names: readonly string[], read: string): Template {
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name, { const: { $get: `${read}#/body/${escapePointerToken(name)}` } }] as const),
    ),
  };
}

/** Fields that requests set and every response has, and those that the request has set. */
function stableFields(context: BodyCaseContext, set: Template = {}): readonly string[] {
  const always = requiredResponseFields(context);
  const responseNames = new Set(
    responseFields(context).flatMap(({ name }) =>
      always.has(name) || (isPlainObject(set) && Object.hasOwn(set, name)) ? [name] : [],
    ),
  );
  return context.fields
    .filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly && responseNames.has(pointer[0] ?? ""))
    .map(({ pointer }) => pointer[0] ?? "");
}

/** The representation of a read, sent back. */
function unchangedCases(context: BodyCaseContext): readonly Case[] {
  const { operation, own, requirements } = context;
  if (operation.requestBody?.input.unchanged !== "accept") return [];
  const stated = requirementIds(operation.requestBody.sources);
  const names = stableFields(context);
  return [
    createAcceptedCase(
      context,
      {
        kind: "changes",
        idParts: ["unchanged"],
        title: "an update with the representation of a read changes nothing",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.setupSteps,
        { ...readStep(context), as: "before" },
        callStep(own, { body: { $get: "before#/body" } }),
        { ...readStep(context), expect: { body: storedFields(names, "before") } },
      ],
    ),
  ];
}

/** An update of a valid and an invalid field changes neither. */
function partialCases(
  context: BodyCaseContext,
  places: readonly (readonly [BodyField, FieldMutator])[],
): readonly Case[] {
  const { own, acceptedBody, requirements, operation, namesFields } = context;
  const names = stableFields(context);
  if (!isPlainObject(acceptedBody) || names.length === 0) return [];
  const unsentField = places.find(([field]) => {
    const [name = ""] = field.pointer;
    return (
      field.pointer.length === 1 &&
      !(name in acceptedBody) &&
      field.layers.every(({ types }) => !types.includes("object"))
    );
  });
  const [field] = unsentField ?? places.findLast(([each]) => each.pointer.length === 1) ?? [];
  if (field === undefined) return [];
  const stated = requirementIds(operation.requestBody?.sources);
  const body = { ...acceptedBody, [field.pointer[0] ?? ""]: { not: "of this type" } };
  return [
    createAcceptedCase(
      context,
      {
        kind: "changes",
        idParts: ["rejected-in-part"],
        title: "an update with one invalid field changes no field",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.setupSteps,
        { ...readStep(context), as: "before" },
        {
          ...callStep(own, { body }),
          expect: expectRejectedField(context, namesFields ? fieldTitle(field) : undefined),
        },
        { ...readStep(context), expect: { body: storedFields(names, "before") } },
      ],
    ),
  ];
}
