import type { FrameStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { type CollectedLimit, type Operation, schemaParts, uniqueKeyFields } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { bodyCaseContext } from "../../requests/body-request.js";
import { createdResource } from "../../requests/created-resources.js";
import { fixtureNamed } from "../../requests/fixtures.js";
import { pathReferences } from "../../requests/object-chains.js";
import { replacesExisting } from "../../requests/object-sources.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { uniqueKeys } from "../../requests/unique-keys.js";
import { isInBody } from "../../values/absent-values.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { creationOf, isCounted, isFresh, withOtherNames } from "./creations.js";
import { fillingCalls } from "./field-updates.js";
import { claimsOf } from "./frame-claims.js";
import { identifyingField, ownerOf } from "./frame-reads.js";
import { fieldsOfResources, fullBody, isNewEachTime, turnedSwitches } from "./frame-values.js";

/** What a call could reach by mistake, and calls of the same operation about other objects. */
export type Surroundings = Pick<FrameStep, "around" | "beside">;

/** Objects like the one that the case has alone, and objects that refer to it. And the call about a second one, with other values. */
export function surroundings(context: ConformanceContext, plan: RequestPlan): Surroundings {
  const target = targetOf(plan);
  const second = secondPlan(context, plan);
  const around = [
    ...(target === undefined
      ? []
      : [...fillingCalls(context, target), ...twins(context, target), ...referrers(context, plan, target)]),
    ...(second?.setupSteps ?? []),
  ];
  const more = [repeatedAddition(context, plan), creationInNew(context, plan)].flatMap((each) => each ?? []);
  const all = [...around, ...more.flatMap(({ setupSteps }) => setupSteps)];
  const calls = [...(second === undefined ? [] : [second]), ...more].map((each) => ({
    frame: each.call,
    may: claimsOf(context, each),
  }));
  return { around: all.length === 0 ? undefined : all, beside: calls.length === 0 ? undefined : calls };
}

/** The call that adds to new objects what they have already: nothing of them changes. */
function repeatedAddition(context: ConformanceContext, plan: RequestPlan): RequestPlan | undefined {
  const { operation, call } = plan;
  const additions = operation.effects.filter(({ does }) => does === "add");
  const fields = (operation.requestBody && bodyCaseContext(context, operation)?.fields) ?? [];
  const had = additions.flatMap(({ object, values }) => {
    const [list = "", item] = object?.pointer ?? [];
    const to = fields.find(({ pointer }) => pointer[0] === list && pointer[1] === "*")?.schema.reference?.to ?? "";
    const [name = ""] = Object.keys(values);
    const source = values[name];
    const isHad = Object.hasOwn(fieldsOfResources(context)[to] ?? {}, name);
    if (item !== "*" || !isHad || source?.kind !== "from" || !isInBody(source.from)) return [];
    const as = `${objectName(to)}-having`;
    const make: MakeStep = { make: to, as, fresh: true };
    const id = { $get: `${as}#/${escapePointerToken(identifyingField(context, { name: to }))}` };
    return [{ make, body: { [list]: [id], [source.from.pointer[0] ?? ""]: { $get: `${as}#/${name}/0` } } }];
  });
  if (had.length === 0 || !isPlainObject(call.body ?? null)) return undefined;
  return {
    ...plan,
    operation: { ...operation, effects: operation.effects.filter((effect) => !additions.includes(effect)) },
    setupSteps: had.map(({ make }) => make),
    call: { ...call, body: Object.assign({}, call.body, ...had.map(({ body }) => body)) as Template },
  };
}

/** The last object that the case has alone. */
function targetOf({ setupSteps }: Pick<RequestPlan, "setupSteps">): MakeStep | undefined {
  const target = setupSteps.findLast((step) => "make" in step && isFresh(step));
  return target !== undefined && "make" in target ? target : undefined;
}

/** The same request with other values, about objects of its own. Undefined for one that would be the same again. */
function secondPlan(context: ConformanceContext, plan: RequestPlan): RequestPlan | undefined {
  const { operation } = plan;
  const isRepeatable = plan.setupSteps.every((step) => "make" in step || "actor" in step);
  const own = plan.setupSteps.filter(isFresh);
  const body = fullBody(context, operation);
  const created = createdResource(context.api, operation)?.resource.name;
  // A second object of which there may be so many at most could stand in the way of later cases.
  const isLast = created !== undefined && isCounted(context, created);
  if (!isRepeatable || isLast || (own.length === 0 && body === undefined)) return undefined;
  const names = own.flatMap((step) => ("as" in step && step.as !== undefined ? [step.as] : []));
  const others = new Map(names.map((name) => [name, `${name}-second`] as const));
  const isFull = body !== undefined && plan.call.body !== undefined;
  const renamed = withOtherNames({ own, call: isFull ? { ...plan.call, body } : plan.call }, others);
  const { call } = renamed;
  const same = sameValues(context, plan);
  const target = created === undefined ? targetOf({ setupSteps: renamed.own }) : undefined;
  const turned = turnedSwitches(context, target?.make.split("@")[0] ?? "");
  return {
    ...plan,
    setupSteps: [
      ...renamed.own.map((step) =>
        "make" in step && step === target ? { ...step, ...(Object.keys(turned).length > 0 && { also: turned }) } : step,
      ),
      ...(target === undefined ? [] : [...children(context, target), ...endedReferrers(context, plan, target)]),
      ...same.steps,
    ],
    call: isPlainObject(call.body ?? null) ? { ...call, body: { ...(call.body as object), ...same.fields } } : call,
  };
}

/** The creation of an object in a new one, which has none yet: what a first object changes of the outer one is seen. */
function creationInNew({ api }: ConformanceContext, plan: RequestPlan): RequestPlan | undefined {
  const { operation, names, setupSteps, call } = plan;
  const outer = setupSteps.findLast((step) => "make" in step && step.as === Object.values(names).at(-1));
  const isMade = createdResource(api, operation) !== undefined;
  if (!isMade || outer === undefined || !("make" in outer) || isFresh(outer)) return undefined;
  const as = `${outer.as}-new`;
  const renamed = withOtherNames(call, new Map([[outer.as, as]]));
  return { ...plan, setupSteps: [{ ...outer, as, fresh: true }], call: renamed };
}

/** Values that are unique within an owner, as an object of another owner has them. */
function sameValues(
  context: ConformanceContext,
  { operation }: RequestPlan,
): { readonly steps: readonly Step[]; readonly fields: Readonly<Record<string, Template>> } {
  const name = createdResource(context.api, operation)?.resource.name ?? "";
  const keys = uniqueKeys(context.api).filter(({ resource }) => resource === name);
  const parent = pathReferences(operation).at(-1)?.reference.to;
  const isOwned = keys.length > 0 && keys.every(({ limit }) => limit.within !== "platform");
  if (!isOwned || isCounted(context, name)) return { steps: [], fields: {} };
  const isOfParent = parent !== undefined && keys.every(({ limit }) => limit.within === "parent");
  const same: MakeStep = { make: name, as: "same", fresh: true };
  return {
    steps: isOfParent ? elsewhere(same, parent) : [{ ...same, by: "other-account" }],
    fields: valuesOf(context, same, (field) => isKey(keys, field)),
  };
}

/** The object in another parent. */
function elsewhere(step: MakeStep, parent: string): readonly MakeStep[] {
  const { by } = step;
  const as = `${step.as}-outer`;
  return [
    { make: parent, as, fresh: true, ...(by === undefined ? {} : { by }) },
    { ...step, of: { ...step.of, [parent]: { $get: as } } },
  ];
}

/** An object with the values of the one of the case, in its parent and in another one. The name of the first begins with that of the other. */
function twins(context: ConformanceContext, { as, of, by, make }: MakeStep): readonly MakeStep[] {
  const [resource = ""] = make.split("@");
  if (!hasOthers(context, resource)) return [];
  const common = {
    make,
    ...(of === undefined ? {} : { of }),
    ...(by === undefined ? {} : { by }),
    fresh: true,
  } as const;
  const keys = uniqueKeys(context.api).filter((key) => key.resource === resource);
  const source = { make, as };
  const longer = Object.entries(
    valuesOf(context, source, (name) => isKey(keys, name) && isText(context, resource, name)),
  );
  const inParent: MakeStep = {
    ...common,
    as: `${as}-twin`,
    also: {
      ...valuesOf(context, source, (name) => !isKey(keys, name)),
      ...Object.fromEntries(longer.map(([name, value]) => [name, { $text: [value, "too"] }] as const)),
    },
  };
  const parent = context.resources.get(resource)?.parent;
  const outer = keys.filter(({ limit }) => limit.within !== "parent");
  const also = valuesOf(context, source, (name) => !isKey(outer, name));
  const inOther =
    parent === undefined || of === undefined ? [] : elsewhere({ ...common, as: `${as}-elsewhere`, also }, parent);
  return [inParent, ...inOther];
}

/** Objects within the one of the case, and objects with the same values within others. */
function children(context: ConformanceContext, target: MakeStep): readonly MakeStep[] {
  const [resource = ""] = target.make.split("@");
  const inner = context.api.resources.filter(({ name, parent }) => parent === resource && hasOthers(context, name));
  return inner.flatMap(({ name }) => {
    const as = `${objectName(name)}-within`;
    const common = { make: name, fresh: true, ...(target.by === undefined ? {} : { by: target.by }) } as const;
    const outer = uniqueKeys(context.api).filter((key) => key.resource === name && key.limit.within !== "parent");
    const also = valuesOf(context, { make: name, as }, (field) => !isKey(outer, field));
    return [
      { ...common, as, of: { [resource]: { $get: target.as } } },
      ...elsewhere({ ...common, as: `${as}-elsewhere`, also }, resource),
    ];
  });
}

/** True for a resource of which an owner may have any number of objects. */
function hasOthers(context: ConformanceContext, resource: string): boolean {
  const isOne = isCounted(context, resource) || replacesExisting(context, resource);
  return creationOf(context, resource) !== undefined && !isOne;
}

/** Objects that refer to the one of the case, unless they could stand in its way. */
function referrers(context: ConformanceContext, { operation }: RequestPlan, target: MakeStep): readonly MakeStep[] {
  return mayConflict(operation) ? [] : objectsReferringTo(context, target, (name) => name);
}

/** Otherwise those that refer to the second one, in a state that no operation ends. */
function endedReferrers(
  context: ConformanceContext,
  { operation }: RequestPlan,
  target: MakeStep,
): readonly MakeStep[] {
  const endOf = (name: string): string => {
    const machine = context.api.stateMachines.find(({ resource }) => resource === name);
    const end = machine?.states.find(
      (state) =>
        machine.transitions.every(({ event, from }) => event.kind !== "operation" || !from.includes(state)) &&
        fixtureNamed(context, `${name}@${state}`) !== undefined,
    );
    return end === undefined ? name : `${name}@${end}`;
  };
  return mayConflict(operation) ? objectsReferringTo(context, target, endOf) : [];
}

function mayConflict({ responses, errors }: Operation): boolean {
  return [...responses, ...errors].some(({ status }) => status === 409);
}

function objectsReferringTo(
  context: ConformanceContext,
  { as, by, make }: MakeStep,
  fixtureOf: (resource: string) => string,
): readonly MakeStep[] {
  const [resource = ""] = make.split("@");
  const id = { $get: `${as}#/${escapePointerToken(identifyingField(context, { name: resource }))}` };
  return [...(referrersOf(context).get(resource) ?? [])].map(([name, fields]): MakeStep => {
    const also = Object.fromEntries(fields.map((field) => [field, id] as const));
    const common = { fresh: true, ...(by === undefined ? {} : { by }) } as const;
    return { make: fixtureOf(name), as: `${objectName(name)}-around`, ...common, also };
  });
}

/** Values of an object for the creation of another one: of the fields that both have. */
function valuesOf(
  context: ConformanceContext,
  { make, as }: Pick<MakeStep, "make" | "as">,
  isMeant: (name: string) => boolean,
): Readonly<Record<string, Template>> {
  const [resource = ""] = make.split("@");
  const shown = fieldNames(context, resource);
  const sent = (creationOf(context, resource)?.fields ?? []).filter(
    ({ pointer, readOnly }) => pointer.length === 1 && !readOnly,
  );
  return Object.fromEntries(
    sent
      .map(({ pointer: [name = ""] }) => name)
      .filter((name) => shown.has(name) && isMeant(name))
      .map((name) => [name, { $get: `${as}#/${escapePointerToken(name)}` }] as const),
  );
}

function isKey(keys: readonly CollectedLimit[], field: string): boolean {
  return keys.some((key) => uniqueKeyFields(key).includes(field));
}

/** True for a text that is new for each object. */
function isText(context: ConformanceContext, resource: string, field: string): boolean {
  const body = creationOf(context, resource)?.acceptedBody ?? null;
  const value = isPlainObject(body) ? body[field] : undefined;
  return isNewEachTime(value) && !JSON.stringify(value).includes('"$number"');
}

/** By the resource that is referred to: the resources whose creations refer to it, with the fields. */
type Referrers = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const referrersOfContext = new WeakMap<ConformanceContext, Referrers>();

function referrersOf(context: ConformanceContext): Referrers {
  const known = referrersOfContext.get(context);
  if (known !== undefined) return known;
  const found = new Map<string, Map<string, readonly string[]>>();
  for (const { name, parent } of context.api.resources)
    for (const [field, to] of parent === undefined ? referencesOf(context, name) : []) {
      if (to === name) continue;
      const fields = found.get(to) ?? new Map<string, readonly string[]>();
      found.set(to, fields.set(name, [...(fields.get(name) ?? []), field]));
    }
  referrersOfContext.set(context, found);
  return found;
}

/** The fields of a creation that refer to objects with an owner, with the resources of these. */
function referencesOf(context: ConformanceContext, resource: string): readonly (readonly [string, string])[] {
  return (creationOf(context, resource)?.fields ?? []).flatMap(({ pointer, layers }) => {
    const to = layers.find(({ reference }) => reference !== undefined)?.reference?.to;
    const referred = context.resources.get(to ?? "");
    const isOwned = referred !== undefined && ownerOf(context, referred) !== "platform";
    return pointer.length === 1 && isOwned ? [[pointer[0] ?? "", referred.name] as const] : [];
  });
}

function fieldNames(context: ConformanceContext, resource: string): ReadonlySet<string> {
  const schema = context.schemas.get(resource);
  const parts = schema === undefined ? [] : schemaParts(context.api, schema);
  return new Set(parts.flatMap(({ properties = [] }) => properties.map(({ name }) => name)));
}
