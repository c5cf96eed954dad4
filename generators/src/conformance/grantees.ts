import type { MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Grant, Operation, Parameter, Reference, Resource, Shape } from "../model/api.js";
import { fieldAt, fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { isMatch } from "./matching.js";
import { nameOf, type Plan } from "./plans.js";
import { sampleOf } from "./samples.js";

/** An entity of a grant: its array in the grants, and its id. */
export interface Entity {
  readonly list: string;
  readonly id: Template;
}

/** A grant that a plan requires, with its entity. */
export type Asked = { readonly grant: Grant } & (
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "entity"; readonly entity: Entity; readonly level: string }
);

/** All grants that an accepted call requires. Undefined when an entity is unknown. */
export function askedOf(context: Context, plan: Plan): readonly Asked[] | undefined {
  const asked: Asked[] = [];
  for (const grant of plan.operation.grants) {
    if (grant.kind === "unrestricted") continue;
    if (grant.kind === "global") {
      if (grant.when === undefined) asked.push({ grant, kind: "global", name: grant.global });
      continue;
    }
    const entity = entityOf(context, plan, grant);
    if (entity === "absent") continue;
    if (entity === undefined) return undefined;
    asked.push({ grant, kind: "entity", entity, level: grant.level });
  }
  return asked;
}

/**
 * The grants of a restricted user: all required ones, each at a level. Of other global grants it has none, or with `others` all but one.
 */
export function grantsOf(
  { api }: Context,
  asked: readonly Asked[],
  { others = false, but }: { readonly others?: boolean; readonly but?: string } = {},
): Readonly<Record<string, Template>> {
  const globals = new Set(
    api.operations.flatMap(({ grants }) => grants.flatMap((each) => (each.kind === "global" ? [each.global] : []))),
  );
  const held = new Set(asked.flatMap((each) => (each.kind === "global" ? [each.name] : [])));
  const lists = new Map<string, Template[]>();
  for (const each of asked) {
    if (each.kind === "global") continue;
    const { list, id } = each.entity;
    const entries = lists.get(list) ?? [];
    // An entity may be required twice, and the later entry would override the first.
    const known = entries.find((entry) => JSON.stringify(idOf(entry)) === JSON.stringify(id));
    if (known === undefined) entries.push({ id, permissions: each.level });
    lists.set(list, entries);
  }
  return {
    global: Object.fromEntries([...globals].map((name) => [name, held.has(name) || (others && name !== but)] as const)),
    ...Object.fromEntries(lists),
  };
}

function idOf(entry: Template): Template {
  return entry !== null && typeof entry === "object" && !isList(entry) ? (entry["id"] ?? null) : null;
}

function entityOf(
  context: Context,
  plan: Plan,
  { on }: Extract<Grant, { readonly kind: "entity" }>,
): Entity | "absent" | undefined {
  if (on.root !== "request") return undefined;
  if (on.part === "path") return entityInPath(context, plan, on.name ?? "");
  const value = valueAt(plan.call.body ?? null, on.pointer);
  if (value === undefined) return "absent";
  const resource = referredTo(context, plan.operation, on.pointer);
  return resource === undefined ? undefined : entityOfValue(context, plan, { resource, value });
}

function entityInPath(context: Context, { names, operation }: Plan, parameter: string): Entity | undefined {
  const reference = operation.parameters.find((each) => each.in === "path" && each.name === parameter)?.reference;
  const as = names[parameter];
  let resource = context.resources.get(reference?.to ?? "");
  if (resource?.grants !== undefined && as !== undefined)
    return { list: resource.grants, id: grantId(context, resource, { $get: `${as}#/id` }) };
  while (resource !== undefined && resource.grants === undefined)
    resource = context.resources.get(resource.parent ?? "");
  const holder = operation.parameters.find((each) => each.reference?.to === resource?.name);
  const name = holder === undefined ? undefined : names[holder.name];
  return resource?.grants === undefined || name === undefined
    ? undefined
    : { list: resource.grants, id: { $get: `${name}#/id` } };
}

/** The object that a body value or a path parameter references. */
function entityOfValue(
  context: Context,
  plan: Plan,
  { resource, value }: { readonly resource: Resource; readonly value: Template },
): Entity | undefined {
  if (resource.grants !== undefined) return { list: resource.grants, id: grantId(context, resource, value) };
  const parent = context.resources.get(resource.parent ?? "");
  const root = rootOf(value);
  const holder = plan.before.findLast((step) => "make" in step && step.as === `${root ?? ""}-holder`);
  if (parent?.grants === undefined || holder === undefined || !("make" in holder)) return undefined;
  return { list: parent.grants, id: { $get: `${holder.as}#/id` } };
}

/** The id of an object in grants: the number in its id, if grants use numbers. */
export function grantId({ api, shapes }: Context, { name, grants }: Resource, id: Template): Template {
  const shape = shapes.get(name);
  const isText = shape !== undefined && fieldAt(api, shape, ["id"])?.types.includes("string") === true;
  if (!isText || grants === undefined) return id;
  const lists = api.resources.flatMap((each) => each.grants ?? []);
  const all = api.shapes.find(({ shape: each }) =>
    lists.every((list) => each.properties?.some((property) => property.name === list) === true),
  );
  const list = all && fieldAt(api, all.shape, [grants]);
  const entry = list && partsOf(api, list).find((each) => each.items !== undefined)?.items;
  const named = entry && fieldAt(api, entry, ["id"]);
  return named?.types.includes("integer") === true ? { $number: id } : id;
}

/** The plan, with the parents of referenced objects created under known names. */
export function withHolders(context: Context, plan: Plan): Plan {
  const before = plan.before.flatMap((step): Step[] => {
    if (!("make" in step) || step.of !== undefined || Object.values(plan.names).includes(step.as)) return [step];
    const holder = holderOf(context, step);
    return holder === undefined ? [step] : [holder, { ...step, of: ofHolder(context, step.make, holder) }];
  });
  return { ...plan, before };
}

/** Steps that create the entity of a grant, and the plan's call with a reference to it. Undefined when no recipe creates it. */
export function naming(context: Context, plan: Plan, pointer: readonly string[]): Plan | undefined {
  const resource = referredTo(context, plan.operation, pointer);
  const content = plan.operation.body && jsonContent(plan.operation.body.contents);
  if (resource === undefined || content === undefined) return undefined;
  if (context.settings.recipes[resource.name] === undefined) return undefined;
  // A different object than the path's, if both have the same resource.
  const isInPath = plan.operation.parameters.some((each) => each.in === "path" && each.reference?.to === resource.name);
  const make: MakeStep = {
    make: resource.name,
    as: `named-${nameOf(resource.name)}`,
    ...(isInPath ? { fresh: true as const } : {}),
  };
  const holder = resource.grants === undefined ? holderOf(context, make) : undefined;
  if (resource.grants === undefined && holder === undefined) return undefined;
  const steps: Step[] =
    holder === undefined ? [make] : [holder, { ...make, of: ofHolder(context, resource.name, holder) }];
  const value: Template = { $get: `${make.as}#/id` };
  const [field = ""] = pointer;
  const added = nested(context, content.shape, pointer, value);
  if (added === undefined) return undefined;
  const body: Template = { $merge: [plan.call.body ?? {}, { ...companions(context, content.shape, field), ...added }] };
  return { ...plan, before: [...plan.before, ...steps], call: { ...plan.call, body } };
}

/** A child is created in the lane's shared parent. */
function holderOf(context: Context, { make, as }: MakeStep): MakeStep | undefined {
  const parent = context.resources.get(context.resources.get(make)?.parent ?? "");
  if (parent?.grants === undefined) return undefined;
  const own = context.settings.recipes[make]?.steps.find(
    (step) => "make" in step && step.make.split("@")[0] === parent.name,
  );
  return { make: own !== undefined && "make" in own ? own.make : parent.name, as: `${as}-holder` };
}

function ofHolder(context: Context, make: string, holder: MakeStep): Readonly<Record<string, Template>> {
  return { [context.resources.get(make)?.parent ?? ""]: { $get: holder.as } };
}

function referredTo(context: Context, operation: Operation, pointer: readonly string[]): Resource | undefined {
  return context.resources.get(referenceAt(context, operation, pointer)?.to ?? "");
}

/** The reference of a body field. */
export function referenceAt({ api }: Context, { body }: Operation, pointer: readonly string[]): Reference | undefined {
  const content = body && jsonContent(body.contents);
  if (content === undefined) return undefined;
  const key = pointer.join("/");
  return fieldsOf(api, content.shape).find(
    (each) => each.shape.reference !== undefined && each.pointer.join("/") === key,
  )?.shape.reference;
}

/** A path to a missing object: its last id, or the id of the grant's entity, does not exist. */
export function missingPath(operation: Operation, about?: string): Readonly<Record<string, Template>> | undefined {
  const named = operation.parameters.filter((each) => each.in === "path" && each.reference !== undefined);
  const parameter = about === undefined ? named.at(-1) : named.find(({ name }) => name === about);
  return parameter === undefined ? undefined : { [parameter.name]: missingId(parameter) };
}

/** An id that does not exist. */
export function missingId({ shape, segments }: Parameter): Template {
  if (shape.types.includes("integer") || shape.types.includes("number")) return 2_147_483_647;
  const fitting = ["nowhere", "none/nowhere", "99", "9.99", "0-0", "0f8fad5b-d9cb-469f-a165-70867728950e"];
  const slashes = (text: string) => text.split("/").length <= segments;
  return (
    fitting.find((each) => slashes(each) && (shape.pattern === undefined || isMatch(shape.pattern, each))) ?? "nowhere"
  );
}

function valueAt(template: Template, [token, ...rest]: readonly string[]): Template | undefined {
  if (token === undefined) return template;
  if (template === null || typeof template !== "object") return undefined;
  if (isList(template)) return token === "*" && template[0] !== undefined ? valueAt(template[0], rest) : undefined;
  const merged = template["$merge"];
  if (merged !== undefined && merged !== null && typeof merged === "object" && isList(merged))
    return merged.map((each) => valueAt(each, [token, ...rest])).findLast((each) => each !== undefined);
  const child = token === "*" ? Object.values(template)[0] : template[token];
  return child === undefined ? undefined : valueAt(child, rest);
}

/** `{devices: {sda: {volume_id: 5}}}` for `devices/*\/volume_id`. */
function nested(
  context: Context,
  shape: Shape,
  [token, ...rest]: readonly string[],
  value: Template,
): Record<string, Template> | undefined {
  if (token === undefined) return undefined;
  const parts = partsOf(context.api, shape);
  const name = token === "*" ? parts.flatMap(({ properties = [] }) => properties)[0]?.name : token;
  const field = name === undefined ? undefined : fieldAt(context.api, shape, [name]);
  if (name === undefined || field === undefined) return undefined;
  if (rest.length === 0) return { [name]: value };
  const items = partsOf(context.api, field).find((each) => each.items !== undefined)?.items;
  if (rest[0] === "*" && items !== undefined) {
    const inner = rest.length === 1 ? value : nested(context, items, rest.slice(1), value);
    return inner === undefined ? undefined : { [name]: [inner] };
  }
  const inner = nested(context, field, rest, value);
  return inner === undefined ? undefined : { [name]: inner };
}

/** The fields that a field requires. */
function companions(context: Context, shape: Shape, field: string): Record<string, Template> {
  const wanted = partsOf(context.api, shape).flatMap(({ dependentRequired }) => dependentRequired?.[field] ?? []);
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const other = fieldAt(context.api, shape, [name]);
      return other === undefined ? [] : [[name, sampleOf(context, other)] as const];
    }),
  );
}

function rootOf(value: Template): string | undefined {
  if (value === null || typeof value !== "object" || isList(value)) return undefined;
  const get = value["$get"];
  return typeof get === "string" ? get.split("#")[0] : undefined;
}

function isList(value: Template): value is readonly Template[] {
  return Array.isArray(value);
}
