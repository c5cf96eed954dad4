import type { Caller, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { InitialState, Operation, Shape, StateMachine } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { given, planOf, type Plan } from "./plans.js";
import { failing } from "./failing.js";
import { failureOf } from "./refused.js";
import { breaking, mergeAll, satisfying, type Overlay } from "./satisfying.js";

/** Steps that bring an object into a state. */
export interface Standing {
  readonly steps: readonly Step[];
  /** Pointer to its representation, such as `instance#` or `begun#/body/image`. */
  readonly root: string;
  /** True when the steps hold the platform's jobs. */
  readonly isHeld: boolean;
}

export interface Wanted {
  readonly machine: StateMachine;
  readonly state: string;
  /** The name of the object in steps. */
  readonly as: string;
  /** Its parents, by resource. */
  readonly of: Readonly<Record<string, Template>>;
}

/**
 * Brings an object into a state: by the recipe `Resource@state` of the settings, else by an operation that creates one in it. Undefined
 * when neither exists.
 */
export function standingIn(context: Context, { machine, state, as, of }: Wanted): Standing | undefined {
  const recipe = `${machine.resource}@${state}`;
  if (context.settings.recipes[recipe] !== undefined) {
    const inputs = Object.keys(of).length === 0 ? {} : { of };
    return { steps: [{ make: recipe, as, ...inputs, fresh: true }], root: `${as}#`, isHeld: false };
  }
  for (const initial of machine.initial) {
    const beginning = beginningOf(context, machine, initial);
    // Creations from another object, such as clones, are tested with their action.
    if (beginning === undefined || ownParameter(beginning.plan.operation, machine.resource) !== undefined) continue;
    const { plan, root } = beginning;
    if (initial.to !== state && initial.then.at(-1) !== state) continue;
    const isHeld = initial.to === state && initial.then.length > 0;
    const call: Step = { ...plan.call, as: "begun", given: true };
    const after: readonly Step[] = isHeld || initial.then.length === 0 ? [] : [{ settle: true }];
    return {
      steps: [...plan.before.map(given), ...(isHeld ? [{ hold: true } as const] : []), call, ...after],
      root,
      isHeld,
    };
  }
  return undefined;
}

/** The call that creates an object in an initial state, bound to `begun`, with the object's location in the response. */
export function beginningOf(
  context: Context,
  machine: StateMachine,
  initial: InitialState,
): { readonly plan: Plan; readonly root: string } | undefined {
  const { by } = initial;
  if (by.kind !== "operation") return undefined;
  const operation = context.operations.get(by.operation);
  const pointer = operation && pointerTo(context, operation, machine.resource);
  if (operation === undefined || pointer === undefined || operation.path === "") return undefined;
  const isAsked = initial.when === undefined || (initial.when.body !== undefined && hasOnlyBody(initial.when));
  if (!isAsked) return undefined;
  const earlier = machine.initial
    .slice(0, machine.initial.indexOf(initial))
    .filter((each) => each.by.kind === "operation" && each.by.operation === by.operation && each.when !== undefined);
  const body = bodyShape(operation);
  const form = body === undefined ? undefined : { context, form: body };
  const overlay = mergeAll([
    ...earlier.map(({ when }) => (when?.body && form ? breaking(form, when.body) : nothing)),
    initial.when?.body && form ? satisfying(form, initial.when.body) : nothing,
  ]);
  if (overlay === undefined) return undefined;
  return { plan: laidOver(planOf(context, operation, { objects: "own" }), overlay), root: `begun#/body${pointer}` };
}

const nothing: Overlay = { fields: {}, before: [] };

function hasOnlyBody(when: NonNullable<InitialState["when"]>): boolean {
  return Object.keys(when).every((member) => member === "body");
}

/** A plan with additional body fields. */
export function laidOver(plan: Plan, { fields, before }: Overlay): Plan {
  if (Object.keys(fields).length === 0) return plan;
  const body: Template = { $merge: [plan.call.body ?? {}, { ...fields }] };
  return { ...plan, before: [...plan.before, ...before], call: { ...plan.call, body } };
}

/** The schema of an operation's JSON body. */
export function bodyShape({ body }: Operation): Shape | undefined {
  return body === undefined ? undefined : jsonContent(body.contents)?.shape;
}

/** The last path parameter, if it references this resource. */
export function ownParameter(operation: Operation, resource: string): string | undefined {
  const last = operation.parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  return last?.reference?.to === resource ? last.name : undefined;
}

/** Pointer to an object of a resource in a response: the body itself, or one of its fields. */
export function pointerTo(context: Context, operation: Operation, resource: string): string | undefined {
  const reply = operation.replies.find(({ status }) => status === 200 || status === 201);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (content === undefined) return undefined;
  const parts = partsOf(context.api, content.shape);
  if (parts.some(({ ref }) => ref === resource)) return "";
  const field = parts
    .flatMap(({ properties = [] }) => properties)
    .find(({ shape }) => partsOf(context.api, shape).some(({ ref }) => ref === resource));
  return field === undefined ? undefined : `/${field.name}`;
}

export interface Reading {
  readonly machine: { readonly resource: string };
  /** Pointer to the object's representation. */
  readonly root: string;
  /** Names of its parents, by path parameter. */
  readonly names: Readonly<Record<string, string>>;
  readonly by?: Caller;
}

/** A read of the object. Undefined when no operation reads it. */
export function readingOf(context: Context, { machine, root, names, by }: Reading, expect: Expect): Step | undefined {
  const resource = context.resources.get(machine.resource);
  const read = context.operations.get(resource?.read ?? "");
  if (read === undefined) return undefined;
  const own = ownParameter(read, machine.resource);
  if (own === undefined) return undefined;
  const path: Record<string, Template> = {};
  for (const parameter of read.parameters) {
    if (parameter.in !== "path") continue;
    const key = parameter.reference?.by ?? "id";
    const name = names[parameter.name];
    if (parameter.name === own) path[own] = { $get: `${root}/${key}` };
    else if (name === undefined) return undefined;
    else path[parameter.name] = { $get: `${name}#/${key}` };
  }
  return { call: read.name, path, ...(by === undefined ? {} : { by }), expect };
}

/** The expected response for an object in a state, or for a deleted one. */
export function showing(context: Context, machine: StateMachine, state: string): Expect {
  const shown = machine.hidden[state] ?? state;
  if (shown === "$gone") return goneFrom(context, machine);
  const field = machine.field ?? "";
  return { status: 200, body: { required: [field], properties: { [field]: { const: shown } } } };
}

/** The expected response for a missing object. */
export function goneFrom(context: Context, { resource }: { readonly resource: string }): Expect {
  const read = context.operations.get(context.resources.get(resource)?.read ?? "");
  const failure = read && failureOf(context, read, "not-found");
  return failure === undefined ? { status: 404 } : failing(failure);
}
