import type { FrameClaim, Template } from "@plumbline/conformance-runtime";
import {
  collectFields,
  type Effect,
  findJsonContent,
  findTarget,
  type Operation,
  type Resource,
  type StateMachine,
  type Transition,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { createdResource, readResources, resourcesOfOperation } from "../../requests/created-resources.js";
import { pathReferences } from "../../requests/object-chains.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { jsonSchemaOf } from "../../values/json-schema.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { effectValuesOf } from "../effects/effect-cases.js";
import { expressionTemplate, objectPointerInResponse } from "../effects/expression-values.js";
import { identifyingField } from "./frame-reads.js";

/** True for a description whose resources are inferred from its paths: it states no effects. */
export function hasStatedResources({ api }: ConformanceContext): boolean {
  return api.resources.some(({ name }) => !name.startsWith("/"));
}

/** What the description says that an operation may change. */
export function claimsOf(context: ConformanceContext, plan: RequestPlan): readonly FrameClaim[] {
  if (!hasStatedResources(context)) return inferredClaims(context, plan);
  const claims = [
    ...targetClaims(context, plan),
    ...creationClaims(context, plan.operation),
    ...deletionClaims(context, plan),
    ...transitionClaims(context, plan),
    ...plan.operation.effects.flatMap((effect) => effectClaims(context, plan, effect)),
    ...namedClaims(context, plan.operation),
  ];
  const deleted = new Set(claims.flatMap(({ does, to }) => (does === "delete" ? [to] : [])));
  const all = [...claims, ...clearedReferences(context, deleted)];
  return [...all, ...modificationClaims(context, plan, all)];
}

/** The times of the last changes, of the objects of the path and of those that other claims are about. */
function modificationClaims(
  context: ConformanceContext,
  { operation, call }: RequestPlan,
  claims: readonly FrameClaim[],
): readonly FrameClaim[] {
  const named = [
    ...pathReferences(operation).map(({ name, reference }) => ({ to: reference.to, object: call.path?.[name] })),
    ...claims.map(({ to, object }) => ({ to, object })),
    ...claims.map(({ to, of }) => ({ to: context.resources.get(to)?.parent ?? "", object: of })),
  ];
  const all = named.flatMap(({ to, object }): readonly FrameClaim[] => {
    const field = context.resources.get(to)?.modified;
    return field === undefined
      ? []
      : [{ to, does: "set", ...(object === undefined ? {} : { object }), fields: [pointerOf(field)] }];
  });
  return [...new Map(all.map((each) => [JSON.stringify(each), each] as const)).values()];
}

/** What time changes, and the platform by itself. */
export function claimsOfTime(context: ConformanceContext): readonly FrameClaim[] {
  const moves = context.api.stateMachines.flatMap((machine): readonly FrameClaim[] =>
    [...machine.initial, ...machine.transitions].flatMap((move) => {
      const { kind } = move.event;
      if (kind === "after" || kind === "at") return claimsOfMove(machine, move, {});
      const isLater = kind === "platform" || move.then.length > 0;
      return isLater ? claimsOfMove(machine, move, {}).map((claim) => ({ ...claim, later: true as const })) : [];
    }),
  );
  const retained = context.api.resources.flatMap(({ name }): readonly FrameClaim[] => {
    const limits = context.schemas.get(name)?.limits ?? [];
    return limits.some(({ kind }) => kind === "retention") ? [{ to: name, does: "delete" }] : [];
  });
  const logged = context.api.resources.flatMap(({ name, isLog }): readonly FrameClaim[] =>
    isLog === true ? [{ to: name, does: "create" }] : [],
  );
  return [...new Map([...moves, ...retained, ...logged].map((each) => [JSON.stringify(each), each] as const)).values()];
}

/** Without stated effects only this is sure: an update or a deletion of one object does not remove another one of its kind. */
function inferredClaims({ api }: ConformanceContext, { operation, call }: RequestPlan): readonly FrameClaim[] {
  const target = pathReferences(operation).at(-1);
  const object = call.path?.[target?.name ?? ""];
  const to = target?.reference.to ?? "";
  return [
    { to: "*", does: "set" },
    { to: "*", does: "create" },
    ...api.resources.filter(({ name }) => name !== to).map(({ name }) => ({ to: name, does: "delete" as const })),
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
  if (operation.requestBody === undefined) return [];
  const last = pathReferences(operation).at(-1);
  const reading = context.api.operations.find(({ method, path }) => method === "GET" && path === operation.path);
  const single = readResources(context.api).get(reading?.name ?? "");
  const target = findTarget(context.api, operation);
  // A body that replaces the stored object clears all other fields.
  const fields = operation.requestBody.input.absent === "clear" ? {} : { sent: true as const };
  if (single !== undefined && last === undefined) return [{ to: single.name, does: "set", ...fields }];
  const object = last === undefined ? undefined : call.path?.[last.name];
  const to = last?.reference.to ?? target?.resource ?? reading?.name;
  return to === undefined ? [] : [{ to, does: "set", ...fields, ...(object === undefined ? {} : { object }) }];
}

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

function claimsOfMove(
  { resource, field }: StateMachine,
  { to, then, sets = {} }: Pick<Transition, "to" | "then" | "sets">,
  named: { readonly object?: Template },
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

function effectClaims(context: ConformanceContext, plan: RequestPlan, effect: Effect): readonly FrameClaim[] {
  const changes = effect.does === undefined ? [] : kinds[effect.does];
  const values = effectValuesOf(plan);
  const { object: expression, of: parent, except } = effect;
  const to = expression === undefined ? effect.to : resourceOf(context, plan.operation, effect);
  if (to === undefined) return [];
  const object = expression && expressionTemplate(expression, values);
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

/** Where an object is deleted, references to it become null. */
function clearedReferences(context: ConformanceContext, deleted: ReadonlySet<string>): readonly FrameClaim[] {
  return context.api.resources.flatMap((resource) => {
    const schema = context.schemas.get(resource.name);
    const fields = schema === undefined ? [] : collectFields(context.api, schema);
    const cleared = fields.flatMap(({ pointer, schema: { reference } }) => {
      if (reference?.onDelete !== "set-null" || !deleted.has(reference.to)) return [];
      const end = pointer.indexOf("*");
      return [pointerOf((end === -1 ? pointer : pointer.slice(0, end)).join("."))];
    });
    return cleared.length === 0 ? [] : [{ to: resource.name, does: "set" as const, fields: cleared }];
  });
}

/** `backups.enabled` as a JSON pointer. */
function pointerOf(field: string): string {
  return field
    .split(".")
    .map((name) => `/${escapePointerToken(name)}`)
    .join("");
}
