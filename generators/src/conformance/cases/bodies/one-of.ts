import type { Case, Template } from "@plumbline/conformance-runtime";
import { intersectSchemas } from "@plumbline/kit/codegen/values";
import { assertions, type Schema } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { type BodyField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue, type FieldMutator } from "../../values/body-mutations.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { validateTemplate } from "../../values/template-validation.js";
import { createAcceptedCase, rejectedCases, sendAndRead } from "./body-cases.js";
import { bodyWithBranch, bodyObjectId, type BodyObject, type BranchField, fieldAt } from "./body-objects.js";
import { boundCases } from "./bounds.js";
import { conditionalCases } from "./conditional.js";
import { patternCases } from "./patterns.js";

/** Cases of `oneOf`: each branch is accepted; without a required field, or with a field of another branch, it is rejected. */
export function oneOfCases(
  around: BodyCaseContext,
  bodyObject: BodyObject,
  part: Schema,
  branches: readonly Schema[],
  depth = 0,
): readonly Case[] {
  const { context } = around;
  const fieldsOfBranches = new Set(
    branches
      .flatMap((branch) => unconditionalLayers(context, branch))
      .flatMap(({ properties = [] }) => properties.map(({ name }) => name)),
  );
  return branches.slice(0, 16).flatMap((branch, index) => {
    const form = bodyWithBranch(around, bodyObject, [branch]);
    if (form === undefined) return [];
    const title = branch.title ?? branch.ref ?? `form-${index + 1}`;
    const always = unconditionalLayers(context, branch);
    const stated = requirementIds([...always, part].flatMap(({ sources = [] }) => sources));
    const requirements = stated.length === 0 ? bodyObject.requirements : stated;
    const about = (what: string, says: string) =>
      ({
        kind: "conditions",
        idParts: [...bodyObjectId(bodyObject), title, what],
        title: `${title}: ${says}`,
        requirements,
      }) as const;
    const nested = depth > 1 ? [] : always.flatMap((each) => each.oneOf ?? []);
    const inBranch = { ...bodyObject, schema: intersectSchemas([bodyObject.schema, branch]), body: form };
    return [
      ...acceptedBranchCases(around, form, about),
      ...missingFieldCases(around, bodyObject, { form, about, always }),
      ...refinedCases(around, bodyObject, { form, title, always, requirements }),
      ...[...fieldsOfBranches].flatMap((name) => otherFieldCases(around, bodyObject, { form, name, about })),
      ...always.flatMap((each) => conditionalCases(around, inBranch, { part: each, branch: title })),
      ...(nested.length === 0 ? [] : oneOfCases(around, inBranch, branch, nested, depth + 1)),
    ];
  });
}

function acceptedBranchCases(around: BodyCaseContext, form: Template, about: BranchField["about"]): readonly Case[] {
  const standing = prepareAcceptable(around, form);
  if (standing === undefined) return [];
  const steps = [...standing.setupSteps, ...sendAndRead(around, standing.body, undefined)];
  return [createAcceptedCase(around, about("accepted", "this branch is accepted"), steps)];
}

interface BranchForm extends Omit<BranchField, "name"> {
  readonly always: readonly Schema[];
}

/** The branch without each of its required fields. */
function missingFieldCases(
  around: BodyCaseContext,
  { pointer }: BodyObject,
  { form, about, always }: BranchForm,
): readonly Case[] {
  const value = valueAt(form, pointer);
  const required = new Set(
    always.flatMap((each) => [
      ...(each.required ?? []),
      ...(each.properties ?? []).filter((property) => property.required).map(({ name }) => name),
    ]),
  );
  const fields = isPlainObject(value) ? Object.keys(value).filter((name) => required.has(name)) : [];
  return fields.flatMap((name) =>
    rejectedCases(
      around,
      withValue(form, [...pointer, name], undefined),
      about(`without-${name}`, `without ${name} it is rejected`),
    ),
  );
}

/** Fields with bounds or patterns that apply in one branch only. */
function refinedCases(
  around: BodyCaseContext,
  bodyObject: BodyObject,
  {
    form,
    title,
    always,
    requirements,
  }: {
    readonly form: Template;
    readonly title: string;
    readonly always: readonly Schema[];
    readonly requirements: readonly string[];
  },
): readonly Case[] {
  const { context } = around;
  const properties = always.flatMap((part) => part.properties ?? []);
  return properties.flatMap((property) => {
    const pointer = [...bodyObject.pointer, property.name];
    const baseField = fieldAt(around, bodyObject, property.name);
    const good = valueAt(form, pointer);
    if (baseField === undefined || good === undefined || !refines(context, property.schema)) return [];
    const schema = intersectSchemas([property.schema, ...baseField.layers]);
    const stated = unconditionalLayers(context, property.schema).flatMap(({ sources }) => requirementIds(sources));
    const field: BodyField = {
      ...baseField,
      schema,
      layers: unconditionalLayers(context, schema),
      branch: title,
      requirements: [...new Set([...(stated.length === 0 ? requirements : stated), ...baseField.requirements])],
    };
    const put = (value: Template): Template => withValue(form, pointer, value);
    const fit = (value: Template): Template | undefined =>
      validateTemplate(context, around.schema, put(value), around.nulls).length === 0 ? put(value) : undefined;
    const place: FieldMutator = {
      validValues: good,
      replaceWith: put,
      findBodyWith: fit,
      withoutField: () => withValue(form, pointer, undefined),
    };
    return [...boundCases(around, field, place), ...patternCases(around, field, place)];
  });
}

function refines(context: ConformanceContext, schema: Schema): boolean {
  const choices = unconditionalLayers(context, schema).flatMap((part) => [
    part,
    ...(part.anyOf ?? []),
    ...(part.oneOf ?? []),
  ]);
  return choices
    .flatMap((each) => unconditionalLayers(context, each))
    .some((part) => refiningKeywords.some(({ name }) => part[name] !== undefined));
}

/** The keywords that restrict values of one type: bounds, patterns and formats. */
const refiningKeywords = assertions.filter(({ types }) => types.length > 0);

/** A field of another branch, sent in this one. */
function otherFieldCases(
  context: BodyCaseContext,
  bodyObject: BodyObject,
  { form, name, about }: BranchField,
): readonly Case[] {
  const value = valueAt(form, bodyObject.pointer);
  if (!isPlainObject(value) || name in value) return [];
  const field = fieldAt(context, bodyObject, name);
  if (field === undefined) return [];
  const sample = schemaSamples(context.context, [field.schema]).find((each) => each !== 0 && each !== null);
  if (sample === undefined) return [];
  return rejectedCases(
    context,
    withValue(form, [...bodyObject.pointer, name], sample),
    about(`with-${name}`, `with ${name} it is rejected`),
  );
}
