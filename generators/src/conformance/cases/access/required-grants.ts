import type { MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import {
  type Api,
  callersOf,
  collectFields,
  findField,
  findJsonContent,
  type Grant,
  isJsonObject,
  type Operation,
  type Parameter,
  type Resource,
  type ResourceReference,
  type Schema,
  schemaParts,
  ownValue,
  matchesPattern,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { isTemplateList } from "../../values/partial-evaluation.js";
import { schemaSample } from "../../values/samples.js";

/** An entity of a grant: its array in the grants, and its id. */
export interface GrantEntity {
  readonly list: string;
  readonly id: Template;
}

/** A grant that a plan requires, with its entity. */
export type RequiredGrant = { readonly grant: Grant } & (
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "entity"; readonly entity: GrantEntity; readonly level: string }
);

/** All grants that an accepted call requires. Undefined when an entity is unknown. */
export function requiredGrants(context: ConformanceContext, plan: RequestPlan): readonly RequiredGrant[] | undefined {
  const required: RequiredGrant[] = [];
  for (const grant of plan.operation.grants) {
    if (grant.kind === "caller") continue;
    if (grant.kind === "named") {
      if (grant.when === undefined) required.push({ grant, kind: "named", name: grant.name });
      continue;
    }
    const entity = entityOf(context, plan, grant);
    if (entity === "absent") continue;
    if (entity === undefined) return undefined;
    required.push({ grant, kind: "entity", entity, level: grant.level });
  }
  return required;
}

/** The names of grants that operations require. */
export function namedGrantsOf({ operations }: Pick<Api, "operations">): readonly string[] {
  const names = operations.flatMap(({ grants }) =>
    grants.flatMap((each) => (each.kind === "named" ? [each.name] : [])),
  );
  return [...new Set(names)];
}

/**
 * The grants of a user: all required ones, each at a level. Of other grants with names it has none, or with `others` all but one. Undefined if
 * the description has no grants.
 */
export function grantsTemplate(
  { api }: ConformanceContext,
  required: readonly RequiredGrant[],
  { others = false, but }: { readonly others?: boolean; readonly but?: string } = {},
): Readonly<Record<string, Template>> | undefined {
  const all = namedGrantsOf(api);
  if (all.length === 0 && api.resources.every(({ grants }) => grants === undefined)) return undefined;
  const granted = new Set(required.flatMap((each) => (each.kind === "named" ? [each.name] : [])));
  const lists = new Map<string, Template[]>();
  for (const each of required) {
    if (each.kind === "named") continue;
    const { list, id } = each.entity;
    const entries = lists.get(list) ?? [];
    // An entity may be required twice, and the later entry would override the first.
    const isListed = entries.some((entry) => JSON.stringify(idOf(entry)) === JSON.stringify(id));
    if (!isListed) entries.push({ id, permissions: each.level });
    lists.set(list, entries);
  }
  return {
    [callersOf(api).namedGrants]: Object.fromEntries(
      all.map((name) => [name, granted.has(name) || (others && name !== but)] as const),
    ),
    ...Object.fromEntries(lists),
  };
}

function idOf(entry: Template): Template {
  return isJsonObject(entry) ? (entry["id"] ?? null) : null;
}

function entityOf(
  context: ConformanceContext,
  plan: RequestPlan,
  { on }: Extract<Grant, { readonly kind: "entity" }>,
): GrantEntity | "absent" | undefined {
  if (on.root !== "request") return undefined;
  if (on.part === "path") return entityInPath(context, plan, on.name ?? "");
  const value = valueAt(plan.call.body ?? null, on.pointer);
  if (value === undefined) return "absent";
  const resource = referredTo(context, plan.operation, on.pointer);
  return resource === undefined ? undefined : entityOfValue(context, plan, { resource, value });
}

function entityInPath(
  context: ConformanceContext,
  { names, operation }: RequestPlan,
  parameter: string,
): GrantEntity | undefined {
  const reference = operation.parameters.find((each) => each.in === "path" && each.name === parameter)?.reference;
  const as = ownValue(names, parameter);
  let resource = context.resources.get(reference?.to ?? "");
  if (resource?.grants !== undefined && as !== undefined)
    return { list: resource.grants, id: entityId(context, resource, { $get: `${as}#/id` }) };
  while (resource !== undefined && resource.grants === undefined)
    resource = context.resources.get(resource.parent ?? "");
  const holder = operation.parameters.find((each) => each.reference?.to === resource?.name);
  const name = holder === undefined ? undefined : ownValue(names, holder.name);
  return resource?.grants === undefined || name === undefined
    ? undefined
    : { list: resource.grants, id: { $get: `${name}#/id` } };
}

/** The object that a body value or a path parameter references. */
function entityOfValue(
  context: ConformanceContext,
  plan: RequestPlan,
  { resource, value }: { readonly resource: Resource; readonly value: Template },
): GrantEntity | undefined {
  if (resource.grants !== undefined) return { list: resource.grants, id: entityId(context, resource, value) };
  const parent = context.resources.get(resource.parent ?? "");
  const root = rootOf(value);
  const holder = plan.setupSteps.findLast((step) => "make" in step && step.as === `${root ?? ""}-holder`);
  if (parent?.grants === undefined || holder === undefined || !("make" in holder)) return undefined;
  return { list: parent.grants, id: { $get: `${holder.as}#/id` } };
}

/** The id of an object in grants: the number in its id, if grants use numbers. */
export function entityId({ api, schemas }: ConformanceContext, { name, grants }: Resource, id: Template): Template {
  const schema = schemas.get(name);
  const isText = schema !== undefined && findField(api, schema, ["id"])?.types.includes("string") === true;
  if (!isText || grants === undefined) return id;
  const lists = api.resources.flatMap((each) => each.grants ?? []);
  const all = api.schemas.find(({ schema: each }) =>
    lists.every((list) => each.properties?.some((property) => property.name === list) === true),
  );
  const list = all && findField(api, all.schema, [grants]);
  const entry = list && schemaParts(api, list).find((each) => each.items !== undefined)?.items;
  const idField = entry && findField(api, entry, ["id"]);
  return idField?.types.includes("integer") === true ? { $number: id } : id;
}

/** The plan, with the parents of referenced objects created under known names. */
export function planWithHolders(context: ConformanceContext, plan: RequestPlan): RequestPlan {
  const before = plan.setupSteps.flatMap((step): Step[] => {
    if (!("make" in step) || step.of !== undefined || Object.values(plan.names).includes(step.as)) return [step];
    const holder = holderOf(context, step);
    return holder === undefined ? [step] : [holder, { ...step, of: ofHolder(context, step.make, holder) }];
  });
  return { ...plan, setupSteps: before };
}

/** Steps that create the entity of a grant, and the plan's call with a reference to it. Undefined when no fixture creates it. */
export function planNamingEntity(
  context: ConformanceContext,
  plan: RequestPlan,
  pointer: readonly string[],
): RequestPlan | undefined {
  const resource = referredTo(context, plan.operation, pointer);
  const content = plan.operation.requestBody && findJsonContent(plan.operation.requestBody.contents);
  if (resource === undefined || content === undefined) return undefined;
  if (context.settings.fixtures[resource.name] === undefined) return undefined;
  // A different object than the path's, if both have the same resource.
  const isInPath = plan.operation.parameters.some((each) => each.in === "path" && each.reference?.to === resource.name);
  const creation: MakeStep = {
    make: resource.name,
    as: `named-${objectName(resource.name)}`,
    ...(isInPath ? { fresh: true as const } : {}),
  };
  const holder = resource.grants === undefined ? holderOf(context, creation) : undefined;
  if (resource.grants === undefined && holder === undefined) return undefined;
  const steps: Step[] =
    holder === undefined ? [creation] : [holder, { ...creation, of: ofHolder(context, resource.name, holder) }];
  const value: Template = { $get: `${creation.as}#/id` };
  const [field = ""] = pointer;
  const added = nested(context, content.schema, pointer, value);
  if (added === undefined) return undefined;
  const body: Template = {
    $merge: [plan.call.body ?? {}, { ...companions(context, content.schema, field), ...added }],
  };
  return { ...plan, setupSteps: [...plan.setupSteps, ...steps], call: { ...plan.call, body } };
}

/** A child is created in the worker's shared parent. */
function holderOf(context: ConformanceContext, { make, as }: MakeStep): MakeStep | undefined {
  const parent = context.resources.get(context.resources.get(make)?.parent ?? "");
  if (parent?.grants === undefined) return undefined;
  const creation = context.settings.fixtures[make]?.steps.find(
    (step) => "make" in step && step.make.split("@")[0] === parent.name,
  );
  return { make: creation !== undefined && "make" in creation ? creation.make : parent.name, as: `${as}-holder` };
}

function ofHolder(context: ConformanceContext, resource: string, holder: MakeStep): Readonly<Record<string, Template>> {
  return { [context.resources.get(resource)?.parent ?? ""]: { $get: holder.as } };
}

function referredTo(
  context: ConformanceContext,
  operation: Operation,
  pointer: readonly string[],
): Resource | undefined {
  return context.resources.get(referenceAtPointer(context, operation, pointer)?.to ?? "");
}

/** The reference of a body field. */
export function referenceAtPointer(
  { api }: ConformanceContext,
  { requestBody }: Operation,
  pointer: readonly string[],
): ResourceReference | undefined {
  const content = requestBody && findJsonContent(requestBody.contents);
  if (content === undefined) return undefined;
  const key = pointer.join("/");
  return collectFields(api, content.schema).find(
    (each) => each.schema.reference !== undefined && each.pointer.join("/") === key,
  )?.schema.reference;
}

/** A path to a missing object: its last id, or the id of the grant's entity, does not exist. */
export function pathToMissing(operation: Operation, about?: string): Readonly<Record<string, Template>> | undefined {
  const references = operation.parameters.filter((each) => each.in === "path" && each.reference !== undefined);
  const parameter = about === undefined ? references.at(-1) : references.find(({ name }) => name === about);
  return parameter === undefined ? undefined : { [parameter.name]: missingIdTemplate(parameter) };
}

/** An id that does not exist. */
export function missingIdTemplate({ schema, segments }: Parameter): Template {
  if (schema.types.includes("integer") || schema.types.includes("number")) return 2_147_483_647;
  const fitting = ["nowhere", "none/nowhere", "99", "9.99", "0-0", "0f8fad5b-d9cb-469f-a165-70867728950e"];
  const slashes = (text: string) => text.split("/").length <= segments;
  return (
    fitting.find((each) => slashes(each) && (schema.pattern === undefined || matchesPattern(schema.pattern, each))) ??
    "nowhere"
  );
}

function valueAt(template: Template, [token, ...rest]: readonly string[]): Template | undefined {
  if (token === undefined) return template;
  if (template === null || typeof template !== "object") return undefined;
  if (isTemplateList(template))
    return token === "*" && template[0] !== undefined ? valueAt(template[0], rest) : undefined;
  const merged = template["$merge"];
  if (merged !== undefined && merged !== null && typeof merged === "object" && isTemplateList(merged))
    return merged.map((each) => valueAt(each, [token, ...rest])).findLast((each) => each !== undefined);
  const child = token === "*" ? Object.values(template)[0] : template[token];
  return child === undefined ? undefined : valueAt(child, rest);
}

/** `{devices: {sda: {volume_id: 5}}}` for `devices/*\/volume_id`. */
function nested(
  context: ConformanceContext,
  schema: Schema,
  [token, ...rest]: readonly string[],
  value: Template,
): Record<string, Template> | undefined {
  if (token === undefined) return undefined;
  const parts = schemaParts(context.api, schema);
  const name = token === "*" ? parts.flatMap(({ properties = [] }) => properties)[0]?.name : token;
  const field = name === undefined ? undefined : findField(context.api, schema, [name]);
  if (name === undefined || field === undefined) return undefined;
  if (rest.length === 0) return { [name]: value };
  const items = schemaParts(context.api, field).find((each) => each.items !== undefined)?.items;
  if (rest[0] === "*" && items !== undefined) {
    const inner = rest.length === 1 ? value : nested(context, items, rest.slice(1), value);
    return inner === undefined ? undefined : { [name]: [inner] };
  }
  const inner = nested(context, field, rest, value);
  return inner === undefined ? undefined : { [name]: inner };
}

/** The fields that a field requires. */
function companions(context: ConformanceContext, schema: Schema, field: string): Record<string, Template> {
  const names = schemaParts(context.api, schema).flatMap(({ dependentRequired }) => dependentRequired?.[field] ?? []);
  return Object.fromEntries(
    names.flatMap((name) => {
      const other = findField(context.api, schema, [name]);
      return other === undefined ? [] : [[name, schemaSample(context, other)] as const];
    }),
  );
}

function rootOf(value: Template): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const get = value["$get"];
  return typeof get === "string" ? get.split("#")[0] : undefined;
}
