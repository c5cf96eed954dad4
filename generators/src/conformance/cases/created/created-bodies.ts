import type { Step, Template } from "@plumbline/conformance-runtime";
import { type Schema } from "@plumbline/kit/model";
import { type ConformanceContext } from "../../context/context.js";
import { type BodyPreparation, isAcceptable, prepareAcceptable } from "../../requests/acceptable-body.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { createdResource, creatorsOf } from "../../requests/created-resources.js";
import { absentValue, bodyPointer, bodyWithDefaults, isInBody } from "../../values/absent-values.js";
import { violatesBodyRule } from "../../values/body-errors.js";
import { type BodyField } from "../../values/body-fields.js";
import { fieldMutator, schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { toLiteral } from "../../values/samples.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { validateTemplate } from "../../values/template-validation.js";
import { isFieldInResponse } from "../bodies/body-cases.js";
import { bodyWithBranch } from "../bodies/body-objects.js";
import { lookupOf } from "./response-fields.js";
interface NamedBody {
  readonly name: string;
  readonly body: Template;
}

/** A body for each branch. */
export function branchBodies(around: BodyCaseContext): readonly NamedBody[] {
  const { context, schema, acceptedBody } = around;
  const layers = unconditionalLayers(context, schema);
  const branches = layers.flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf]).slice(0, 16);
  const bodies = branches.flatMap((branch, index): readonly NamedBody[] => {
    const body = bodyWithBranch(around, { schema, pointer: [], body: acceptedBody, requirements: [] }, [branch]);
    if (body === undefined) return [];
    return [{ name: branch.title ?? branch.ref ?? `form-${index + 1}`, body: withUnique(acceptedBody, body) }];
  });
  return bodies.length === 0 ? [{ name: "", body: acceptedBody }] : bodies;
}

/** With the unique values of the accepted body: another object may have a constant already. */
function withUnique(accepted: Template, body: Template): Template {
  if (!isPlainObject(accepted) || !isPlainObject(body)) return body;
  const unique = Object.entries(accepted).filter(
    ([name, value]) => Object.hasOwn(body, name) && JSON.stringify(value).includes('"$unique"'),
  );
  return { ...body, ...Object.fromEntries(unique) };
}

/** Values on which defaults depend differ from the usual bounds: 3 in place of 1. */
export function withSources(around: BodyCaseContext, body: Template): Template {
  const sources = around.fields.flatMap(({ pointer, layers }) =>
    layers
      .flatMap(({ valueRules = [] }) => valueRules)
      .flatMap(({ set }) => (set?.kind === "from" && isInBody(set.from) ? [bodyPointer(set.from, pointer)] : [])),
  );
  return sources
    .filter((pointer) => typeof valueAt(body, pointer) === "number")
    .map(
      (pointer) =>
        (before: Template): Template =>
          withValue(before, pointer, 3),
    )
    .reduce((before, change) => (isAcceptable(around, change(before)) ? change(before) : before), body);
}

/** Without the fields that no rule requires. Each removal must leave the body valid, in the same branch. */
export function withoutOptional(around: BodyCaseContext, body: Template): Template {
  if (!isPlainObject(body)) return body;
  const { context, schema } = around;
  const branches = unconditionalLayers(context, schema).flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf]);
  const branch = branches.find((each) => validateTemplate(context, each, body, around.nulls).length === 0);
  return Object.keys(body).reduce<Readonly<Record<string, Template>>>((fields, name) => {
    const { [name]: _removed, ...rest } = fields;
    const isSameBranch = branch === undefined || validateTemplate(context, branch, rest, around.nulls).length === 0;
    return isSameBranch && isAcceptable(around, rest) ? rest : fields;
  }, body);
}

/** The prepared body with other values. The path's object has the other values of its own creation. */
export function preparedWith(
  around: BodyCaseContext,
  requestBody: Template,
  others: Readonly<Record<string, Template>>,
): BodyPreparation | undefined {
  const { context, own } = around;
  const { settings, resources } = context;
  const standing = prepareAcceptable(around, requestBody);
  if (standing === undefined || !isPlainObject(standing.body)) return standing;
  const target = own.setupSteps.findLast((step) => "make" in step && step.fresh === true);
  const resource = target !== undefined && "make" in target ? resources.get(target.make) : undefined;
  const creator = resource && creatorsOf(context.api, resource).find(({ name }) => settings.operations[name]?.others);
  const laid = settings.operations[creator?.name ?? ""]?.others;
  const body = { ...standing.body, ...others };
  const setupSteps = standing.setupSteps.map((step): Step => {
    if (step !== target || !("make" in step) || laid === undefined) return step;
    return { ...step, with: isPlainObject(step.with) ? { ...step.with, ...laid } : laid };
  });
  return { setupSteps, body };
}

/** With a value in each optional field that responses show, if possible another value than the default. Lists have two items. */
export function bodyWithAll(around: BodyCaseContext, base: Template): Template {
  const { context, fields, responseSchema } = around;
  const setup = JSON.stringify(prepareAcceptable(around, base)?.setupSteps);
  // Rules often apply to what is switched on, so switches come last.
  const isSwitch = ({ layers }: BodyField): boolean => layers.some(({ types }) => types.includes("boolean"));
  const ordered = [...fields.filter((each) => !isSwitch(each)), ...fields.filter(isSwitch)];
  return ordered.reduce((body, field) => {
    const isItem = field.pointer.includes("*");
    const baseValue = valueAt(base, field.pointer);
    if (field.readOnly || isItem) return body;
    if (baseValue !== undefined) return isTemplateList(baseValue) ? bodyWithSecondItem(around, field, body) : body;
    if (responseSchema !== undefined && !isFieldInResponse(context, [responseSchema], field.pointer)) return body;
    if (field.layers.some(({ types }) => types.includes("object"))) return body;
    const usual = absentValue(around, field, { body, lookup: lookupOf(around, body) });
    const values = otherValues(around, field).filter((each) => JSON.stringify(each) !== JSON.stringify(usual));
    for (const value of values) {
      const next = fieldMutator({ ...around, acceptedBody: body }, field)?.findBodyWith(value);
      if (next === undefined || !isAcceptable(around, next)) continue;
      if (violatesBodyRule(around, bodyWithDefaults(around, fields, { body: next, lookup: lookupOf(around, next) })))
        continue;
      if (JSON.stringify(prepareAcceptable(around, next)?.setupSteps) === setup) return next;
    }
    return body;
  }, base);
}

function otherValues({ context }: BodyCaseContext, { schema, layers }: BodyField): readonly Template[] {
  const types = new Set(layers.flatMap((part) => part.types));
  const items = layers.flatMap((part) => part.items ?? []).slice(0, 1);
  if (types.has("array") && items.length > 0) {
    const [first, second] = schemaSamples(context, items);
    const other = first === undefined ? undefined : (otherItem(context, items, first) ?? second);
    return first === undefined ? [] : [...(other === undefined ? [] : [[first, other]]), [first]];
  }
  const typicalValues = types.has("boolean") ? [true, false] : types.has("integer") ? [4, 2, 300, 7200] : [];
  return [...typicalValues, ...schemaSamples(context, [schema])].filter(
    (each) => each !== null && each !== "" && each !== 0 && !isPlainObject(each),
  );
}

/** A list of objects with a second, different item. An item that is created as an object of its own has all of its fields. */
function bodyWithSecondItem(around: BodyCaseContext, { pointer, layers }: BodyField, body: Template): Template {
  const { context, operation } = around;
  const list = valueAt(body, pointer);
  const items = layers.flatMap((part) => part.items ?? []).slice(0, 1);
  const [first] = isTemplateList(list) ? list : [];
  if (!isTemplateList(list) || list.length !== 1 || first === undefined || !isPlainObject(first)) return body;
  const creator = context.api.operations
    .filter((each) => each !== operation && createdResource(context.api, each) !== undefined)
    .map((each) => bodyCaseContext(context, each))
    .find((each) => each?.schema.ref !== undefined && each.schema.ref === items[0]?.ref);
  const second =
    creator === undefined ? otherItem(context, items, first) : bodyWithAll(creator, withSources(creator, first));
  const next = second === undefined ? body : withValue(body, pointer, [first, second]);
  return isAcceptable(around, next) ? next : body;
}

/** An item whose fields differ from those of another one, as far as the schema has other values. */
function otherItem(context: ConformanceContext, items: readonly Schema[], item: Template): Template | undefined {
  if (!isPlainObject(item)) return undefined;
  const properties = items
    .flatMap((each) => unconditionalLayers(context, each))
    .flatMap((part) => part.properties ?? []);
  // A value rule of one field may depend on another field.
  const hasRules = properties.some(({ schema }) => schema.valueRules !== undefined);
  const isValid = (value: Template): boolean =>
    items.every((each) => validateTemplate(context, each, value, "validated").length === 0);
  const changed: Record<string, Template> = { ...item };
  for (const [name, value] of Object.entries(item)) {
    const schemas = properties.flatMap((each) => (each.name === name ? [each.schema] : []));
    const samples = schemas.length === 0 ? [] : schemaSamples(context, schemas.slice(0, 1));
    const others = [
      ...(typeof value === "number" ? [value + 1] : []),
      ...(hasRules ? [] : [...samples, ...schemas.flatMap(enumOf)]),
    ];
    const isOther = (each: Template): boolean => each !== null && JSON.stringify(each) !== JSON.stringify(value);
    const other = others.find((each) => isOther(each) && isValid({ ...changed, [name]: each }));
    if (other !== undefined) changed[name] = other;
  }
  return JSON.stringify(changed) === JSON.stringify(item) ? undefined : changed;
}

function enumOf({ enum: values = [] }: Schema): readonly Template[] {
  return values.map(toLiteral);
}
