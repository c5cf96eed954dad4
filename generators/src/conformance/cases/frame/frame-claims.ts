import type { FrameClaim, Template } from "@plumbline/conformance-runtime";
import {
  type Api,
  collectFields,
  type Effect,
  type Expression,
  findJsonContent,
  findTarget,
  memoize,
  type Operation,
  type Resource,
  type StateMachine,
  type Transition,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { createdResource, readResources, resourcesOfOperation } from "../../requests/created-resources.js";
import { pathReferences } from "../../requests/object-chains.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { isInBody } from "../../values/absent-values.js";
import { isComparisonMet } from "../../values/body-errors.js";
import { valueAt } from "../../values/body-mutations.js";
import { jsonSchemaOf } from "../../values/json-schema.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { effectValuesOf } from "../effects/effect-cases.js";
import { expressionTemplate, objectPointerInResponse, type EffectValues } from "../effects/expression-values.js";
import { identifyingField } from "./frame-reads.js";

/** True for a description whose resources are inferred from its paths: it states no effects. */
export function hasStatedResources({ api }: ConformanceContext): boolean {
  return statesResources(api);
}

const statesResources = memoize(({ resources }: Api) => resources.some(({ name }) => !name.startsWith("/")));

/** What the description says that an operation may change. Effects whose conditions the stored object certainly does not meet are left out. */
export function claimsOf(context: ConformanceContext, plan: RequestPlan, stored?: Template): readonly FrameClaim[] {
  if (!hasStatedResources(context)) return inferredClaims(plan);
  const claims = [
    ...targetClaims(context, plan),
    ...creationClaims(context, plan.operation),
    ...deletionClaims(context, plan),
    ...transitionClaims(context, plan),
    ...plan.operation.effects
      .filter((effect) => !isUnmet(effect, { stored, body: plan.call.body }))
      .flatMap((effect) => effectClaims(context, plan, effect)),
    ...namedClaims(context, plan.operation),
  ];
  const deleted = new Map(claims.flatMap(({ does, to, object }) => (does === "delete" ? [[to, object] as const] : [])));
  const all = [...claims, ...clearedReferences(context, deleted)];
  return [...all, ...modificationClaims(context, plan, all)];
}

/** True for an effect on a comparison of the body with the stored object that certainly does not hold. */
function isUnmet(
  { when }: Effect,
  { stored, body }: { readonly stored: Template | undefined; readonly body: Template | undefined },
): boolean {
  if (when?.compare === undefined) return false;
  const valueOf = (from: Expression): Template | undefined =>
    from.root === "target" ? valueAt(stored, from.pointer) : isInBody(from) ? valueAt(body, from.pointer) : undefined;
  return isComparisonMet(when.compare, valueOf) === false;
}

/** The times of the last changes, of the object of the path and of those that other claims are about. */
function modificationClaims(
  context: ConformanceContext,
  { operation, call }: RequestPlan,
  claims: readonly FrameClaim[],
): readonly FrameClaim[] {
  const last = pathReferences(operation).at(-1);
  const isTarget = last !== undefined && operation.method !== "POST";
  const named = [
    ...(isTarget ? [{ to: last.reference.to, object: call.path?.[last.name] }] : []),
    ...claims
      .filter(({ does }) => does === "set")
      .map(({ to, object, of, where, except }) => ({ to, object, of, where, except })),
  ];
  const all = named.flatMap((each): readonly FrameClaim[] => {
    const field = context.resources.get(each.to)?.modified;
    return field === undefined ? [] : [{ ...each, does: "set", fields: [pointerOf(field)] }];
  });
  return [...new Map(all.map((each) => [JSON.stringify(each), each] as const)).values()];
}

/** Without stated effects only this is sure: an update or a deletion of one object does not remove another one of its kind. */
function inferredClaims({ operation, call }: RequestPlan): readonly FrameClaim[] {
  const target = pathReferences(operation).at(-1);
  const object = call.path?.[target?.name ?? ""];
  const to = target?.reference.to ?? "";
  return [
    { to: "*", does: "set" },
    { to: "*", does: "create" },
    { to: "*", but: to, does: "delete" },
    ...(operation.method === "DELETE" && object !== undefined
      ? [
          { to, does: "delete" as const, object },
          { to, does: "delete" as const, of: object },
        ]
      : []),
  ];
}

/** The request changes the fields that it sends, of the object of the path, or of what the same path reads. */
function targetClaims(context: ConformanceContext, plan: RequestPlan): readonly FrameClaim[] {
  const { operation, call } = plan;
  // The fields of a creation are those of the new object alone.
  const { api } = context;
  const isStated = operation.method === "POST" && operation.effects.some(({ does }) => does !== "create");
  if (operation.requestBody === undefined || createdResource(api, operation) !== undefined || isStated) return [];
  const last = pathReferences(operation).at(-1);
  const reading = readingsByPath(api).get(operation.path);
  const single = readResources(api).get(reading?.name ?? "");
  const target = findTarget(api, operation);
  // A body that replaces the stored object clears all other fields.
  const fields = operation.requestBody.input.absent === "clear" ? {} : { sent: true as const };
  if (single !== undefined && last === undefined) return [{ to: single.name, does: "set", ...fields }];
  const object = last === undefined ? undefined : call.path?.[last.name];
  const to = last?.reference.to ?? target?.resource ?? reading?.name;
  return to === undefined ? [] : [{ to, does: "set", ...fields, ...(object === undefined ? {} : { object }) }];
}

const readingsByPath = memoize(
  ({ operations }: Api) =>
    new Map(operations.filter(({ method }) => method === "GET").map((each) => [each.path, each] as const)),
);

function creationClaims(context: ConformanceContext, operation: Operation): readonly FrameClaim[] {
  const created = createdResource(context.api, operation);
  if (created === undefined) return [];
  const { resource, pointer } = created;
  const object: Template = { $get: `answer#/body${pointer}/${identifyingField(context, resource)}` };
  return [{ to: resource.name, does: "create", object }];
}

function deletionClaims(context: ConformanceContext, { operation, call }: RequestPlan): readonly FrameClaim[] {
  const { deleted } = resourcesOfOperation(context.api, operation);
  const last = pathReferences(operation).at(-1);
  const object = call.path?.[last?.name ?? ""];
  if (deleted === undefined) return [];
  const own: FrameClaim = { to: deleted.name, does: "delete", ...(object === undefined ? {} : { object }) };
  const children = descendantsOf(context, deleted).map((to): FrameClaim => ({
    to,
    does: "delete",
    ...(object === undefined ? {} : { of: object }),
  }));
  return [own, ...children];
}

/** The resources whose objects are deleted with those of a resource. */
function descendantsOf(context: ConformanceContext, { name }: Resource): readonly string[] {
  const children = context.api.resources.filter(({ parent }) => parent === name);
  return children.flatMap((child) => [child.name, ...descendantsOf(context, child)]);
}

function transitionClaims(context: ConformanceContext, { operation, call }: RequestPlan): readonly FrameClaim[] {
  const last = pathReferences(operation).at(-1);
  return context.api.stateMachines.flatMap((machine) =>
    machine.transitions.flatMap((transition) => {
      const { event, subject } = transition;
      if (event.kind !== "operation" || event.operation !== operation.name) return [];
      const isTarget = subject === undefined && last?.reference.to === machine.resource;
      const object = isTarget ? call.path?.[last.name] : undefined;
      return claimsOfMove(machine, transition, object === undefined ? {} : { object });
    }),
  );
}

/** What an object that moves to another state may change. */
export function claimsOfMove(
  { resource, field }: StateMachine,
  { to, then, sets = {} }: Pick<Transition, "to" | "then" | "sets">,
  named: Pick<FrameClaim, "object" | "where" | "becomes">,
): readonly FrameClaim[] {
  const fields = [...(field === undefined ? [] : [field]), ...Object.keys(sets)].map(pointerOf);
  return [
    ...(fields.length === 0 ? [] : [{ to: resource, does: "set" as const, ...named, fields }]),
    ...(to === "$deleted" || then.includes("$deleted") ? [{ to: resource, does: "delete" as const, ...named }] : []),
  ];
}

const kinds = {
  create: ["create"],
  delete: ["delete"],
  replace: ["set", "create", "delete"],
  set: ["set"],
  add: ["set"],
  remove: ["set"],
  keep: [],
} satisfies Record<NonNullable<Effect["does"]>, readonly FrameClaim["does"][]>;

/** What an effect may change. */
export function effectClaims(context: ConformanceContext, plan: RequestPlan, effect: Effect): readonly FrameClaim[] {
  const changes = effect.does === undefined ? [] : kinds[effect.does];
  const values = effectValuesOf(plan);
  const { object: expression, of: parent, except } = effect;
  const to = expression === undefined ? effect.to : resourceOf(context, plan.operation, effect);
  if (to === undefined) return [];
  if (expression !== undefined && !isSent(plan, expression)) return [];
  const object = expression && (itemsTemplate(expression, values) ?? expressionTemplate(expression, values));
  // The parent narrows the claim only if the objects show it.
  const of = context.resources.get(to)?.parent === undefined ? undefined : parent && expressionTemplate(parent, values);
  const kept = except && expressionTemplate(except, values);
  const fields = Object.keys(effect.values).map(pointerOf);
  return changes.map((does): FrameClaim => ({
    to,
    does,
    ...(object === undefined ? {} : { object }),
    ...(of === undefined ? {} : { of }),
    ...(effect.where === undefined ? {} : { where: jsonSchemaOf(effect.where) as Template }),
    ...(kept === undefined ? {} : { except: kept }),
    ...(does !== "set" || fields.length === 0 ? {} : { fields }),
  }));
}

/** False for an expression of a field that the body of the request does not have. */
function isSent({ call: { body } }: RequestPlan, { root, part, pointer: [name = ""] }: Expression): boolean {
  return root !== "request" || part !== "body" || !isPlainObject(body ?? null) || valueAt(body, [name]) !== undefined;
}

/** The items of a list of the body. */
function itemsTemplate(expression: Expression, values: EffectValues): Template | undefined {
  const { root, part, pointer } = expression;
  const isList = root === "request" && part === "body" && pointer.length === 2 && pointer[1] === "*";
  return isList ? expressionTemplate({ ...expression, pointer: pointer.slice(0, 1) }, values) : undefined;
}

/** The resource of the object that an expression refers to. */
function resourceOf(
  context: ConformanceContext,
  operation: Operation,
  { object }: Pick<Effect, "object">,
): string | undefined {
  const { api } = context;
  if (object?.root === "request" && object.part === "path")
    return pathReferences(operation).find(({ name }) => name === object.name)?.reference.to;
  if (object?.root === "request" && object.part === "body") {
    const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
    const fields = content === undefined ? [] : collectFields(api, content.schema);
    return fields.find(({ pointer, schema }) => pointer.join("/") === object.pointer.join("/") && schema.reference)
      ?.schema.reference?.to;
  }
  if (object?.root === "target") {
    const target = pathReferences(operation).at(-1)?.reference.to;
    const schema = context.schemas.get(target ?? "");
    const fields = schema === undefined ? [] : collectFields(api, schema);
    const named = fields.find(({ pointer }) => pointer.join("/") === object.pointer.join("/"));
    return object.pointer.length === 0 ? target : named?.schema.reference?.to;
  }
  return api.resources.find(({ name }) => objectPointerInResponse(context, operation, name) !== undefined)?.name;
}

/** A name in the body creates the object that has it. */
function namedClaims({ api }: ConformanceContext, { requestBody }: Operation): readonly FrameClaim[] {
  const content = requestBody && findJsonContent(requestBody.contents);
  if (content === undefined) return [];
  return collectFields(api, content.schema).flatMap(({ schema: { reference } }) =>
    reference?.onNotFound === "create" ? [{ to: reference.to, does: "create" as const }] : [],
  );
}

/** Where an object is deleted, references to it become null, and lists lose it. */
function clearedReferences(
  context: ConformanceContext,
  deleted: ReadonlyMap<string, Template | undefined>,
): readonly FrameClaim[] {
  return context.api.resources.flatMap((resource) => {
    const schema = context.schemas.get(resource.name);
    const fields = schema === undefined ? [] : collectFields(context.api, schema);
    return fields.flatMap(({ pointer, schema: { reference } }): readonly FrameClaim[] => {
      if (reference?.onDelete !== "set-null" || !deleted.has(reference.to)) return [];
      const end = pointer.indexOf("*");
      const items = end === pointer.length - 1 ? deleted.get(reference.to) : undefined;
      const at = pointerOf((end === -1 ? pointer : pointer.slice(0, end)).join("."));
      return [{ to: resource.name, does: "set", fields: [at], ...(items === undefined ? {} : { items }) }];
    });
  });
}

/** `backups.enabled` as a JSON pointer. */
export function pointerOf(field: string): string {
  return field
    .split(".")
    .map((name) => `/${escapePointerToken(name)}`)
    .join("");
}
