import type { MakeStep, Step } from "@plumbline/conformance-runtime";
import { collectFields } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { objectSource } from "../../requests/object-sources.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { identifyingField, ownerOf } from "./frame-reads.js";

/** One more object with the references of the object of the case alone, and objects that refer to it: what a fault could reach. */
export function objectsAround(context: ConformanceContext, { operation, setupSteps }: RequestPlan): readonly Step[] {
  const target = setupSteps.findLast((step) => "make" in step && isFresh(step));
  if (target === undefined || !("make" in target)) return [];
  const { as, of, by, make } = target;
  const [resource = ""] = make.split("@");
  const common = { ...(by === undefined ? {} : { by }), fresh: true } as const;
  const shown = fieldNames(context, resource);
  const shared = referencesOf(context, resource)
    .filter(([name]) => shown.has(name))
    .map(([name]) => [name, { $get: `${as}#/${escapePointerToken(name)}` }] as const);
  const twin: MakeStep = { make: resource, as: `${as}-twin`, ...(of === undefined ? {} : { of }), ...common };
  const id = { $get: `${as}#/${escapePointerToken(identifyingField(context, { name: resource }))}` };
  const mayConflict = operation.responses.some(({ status }) => status === 409);
  const referring = mayConflict ? [] : [...(referrersOf(context).get(resource) ?? [])];
  return [
    ...(shared.length === 0 ? [] : [{ ...twin, also: Object.fromEntries(shared) }]),
    ...referring.map(([name, fields]): MakeStep => {
      const also = Object.fromEntries(fields.map((field) => [field, id] as const));
      return { make: name, as: `${objectName(name)}-around`, ...common, also };
    }),
  ];
}

/** By the resource that is referred to: the resources whose creations refer to it, with the fields. */
type Referrers = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const referrersOfContext = new WeakMap<ConformanceContext, Referrers>();

function referrersOf(context: ConformanceContext): Referrers {
  const known = referrersOfContext.get(context);
  if (known !== undefined) return known;
  const referrers = new Map<string, Map<string, readonly string[]>>();
  for (const { name, parent } of context.api.resources)
    for (const [field, to] of parent === undefined ? referencesOf(context, name) : []) {
      if (to === name) continue;
      const fields = referrers.get(to) ?? new Map<string, readonly string[]>();
      referrers.set(to, fields.set(name, [...(fields.get(name) ?? []), field]));
    }
  referrersOfContext.set(context, referrers);
  return referrers;
}

/** The fields of a creation that refer to objects with an owner, with the resources of these. */
function referencesOf(context: ConformanceContext, resource: string): readonly (readonly [string, string])[] {
  const around = creationOf(context, resource);
  const isLimited = around?.operation.limits.some(({ kind }) => kind === "concurrency") ?? false;
  if (around === undefined || isLimited) return [];
  return around.fields.flatMap(({ pointer, layers }) => {
    const to = layers.find(({ reference }) => reference !== undefined)?.reference?.to;
    const referred = context.resources.get(to ?? "");
    const isOwned = referred !== undefined && ownerOf(context, referred) !== "platform";
    return pointer.length === 1 && isOwned ? [[pointer[0] ?? "", referred.name] as const] : [];
  });
}

function fieldNames(context: ConformanceContext, resource: string): ReadonlySet<string> {
  const schema = context.schemas.get(resource);
  const fields = schema === undefined ? [] : collectFields(context.api, schema);
  return new Set(fields.map(({ pointer }) => pointer.join("/")));
}

/** The requests that create objects of a resource. */
export function creationOf(context: ConformanceContext, name: string): BodyCaseContext | undefined {
  const resource = context.resources.get(name);
  const source = resource && objectSource(context, resource);
  return source?.kind === "operation" ? bodyCaseContext(context, source.operation) : undefined;
}

/** True for a step that creates an object of the case alone. */
export function isFresh(step: Step): boolean {
  return "make" in step && step.fresh === true;
}
