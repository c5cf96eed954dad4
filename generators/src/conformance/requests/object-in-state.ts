import type { Caller, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import {
  type InitialState,
  type Operation,
  type Schema,
  type StateMachine,
  schemaParts,
  findJsonContent,
  ownValue,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { violateCondition, mergeOverlays, satisfyCondition, type ObjectOverlay } from "../values/condition-solver.js";
import { expectError, findOperationError } from "./expect-error.js";
import { setupStep, planRequest, type RequestPlan } from "./request-plan.js";

/** Steps that bring an object into a state. */
export interface ObjectInState {
  readonly steps: readonly Step[];
  /** Pointer to its representation, such as `instance#` or `begun#/body/image`. */
  readonly root: string;
  /** True when the steps hold the platform's jobs. */
  readonly holdsJobs: boolean;
}

export interface StateTarget {
  readonly stateMachine: StateMachine;
  readonly state: string;
  /** The name of the object in steps. */
  readonly as: string;
  /** Its parents, by resource. */
  readonly of: Readonly<Record<string, Template>>;
}

/**
 * Brings an object into a state: by the fixture `Resource@state` of the settings, else by an operation that creates one in it, else by the
 * operations that lead there. Undefined when none do.
 */
export function bringIntoState(context: ConformanceContext, target: StateTarget): ObjectInState | undefined {
  const { stateMachine, state, as, of } = target;
  const fixture = `${stateMachine.resource}@${state}`;
  const inputs = Object.keys(of).length === 0 ? {} : { of };
  const object: ObjectInState = {
    steps: [{ make: fixture, as, ...inputs, fresh: true }],
    root: `${as}#`,
    holdsJobs: false,
  };
  const { fixtures } = context.settings;
  const isDerived = context.derivedFixtures.get(fixture) !== undefined;
  // A fixture of the resource in the settings knows how to create one.
  if (fixtures[fixture] !== undefined || (fixtures[stateMachine.resource] !== undefined && isDerived)) return object;
  return createInState(context, target) ?? (isDerived ? object : undefined);
}

function createInState(
  context: ConformanceContext,
  { stateMachine, state }: Pick<StateTarget, "stateMachine" | "state">,
): ObjectInState | undefined {
  for (const initial of stateMachine.initial) {
    const beginning = initialCall(context, stateMachine, initial);
    // Creations from another object, such as clones, are tested with their action.
    if (beginning === undefined || ownParameter(beginning.plan.operation, stateMachine.resource) !== undefined)
      continue;
    const { plan, root } = beginning;
    if (initial.to !== state && initial.then.at(-1) !== state) continue;
    const isHeld = initial.to === state && initial.then.length > 0;
    const call: Step = { ...plan.call, as: "begun", setup: true };
    const after: readonly Step[] = isHeld || initial.then.length === 0 ? [] : [{ settle: true }];
    return {
      steps: [...plan.setupSteps.map(setupStep), ...(isHeld ? [{ hold: true } as const] : []), call, ...after],
      root,
      holdsJobs: isHeld,
    };
  }
  return undefined;
}

/** The call that creates an object in an initial state, bound to `begun`, with the object's location in the response. */
export function initialCall(
  context: ConformanceContext,
  stateMachine: StateMachine,
  initial: InitialState,
): { readonly plan: RequestPlan; readonly root: string } | undefined {
  const { event } = initial;
  if (event.kind !== "operation") return undefined;
  const operation = context.operations.get(event.operation);
  const pointer = operation && pointerInResponse(context, operation, stateMachine.resource);
  if (operation === undefined || pointer === undefined || operation.path === "") return undefined;
  const isAsked = initial.when === undefined || (initial.when.body !== undefined && hasOnlyBody(initial.when));
  if (!isAsked) return undefined;
  const earlier = stateMachine.initial
    .slice(0, stateMachine.initial.indexOf(initial))
    .filter(
      (each) => each.event.kind === "operation" && each.event.operation === event.operation && each.when !== undefined,
    );
  const body = bodySchema(operation);
  const form = body === undefined ? undefined : { context, schema: body };
  const overlay = mergeOverlays([
    ...earlier.map(({ when }) => (when?.body && form ? violateCondition(form, when.body) : nothing)),
    initial.when?.body && form ? satisfyCondition(form, initial.when.body) : nothing,
  ]);
  if (overlay === undefined) return undefined;
  return {
    plan: planWithOverlay(planRequest(context, operation, { objects: "own" }), overlay),
    root: `begun#/body${pointer}`,
  };
}

const nothing: ObjectOverlay = { fields: {}, setupSteps: [] };

function hasOnlyBody(when: NonNullable<InitialState["when"]>): boolean {
  return Object.keys(when).every((member) => member === "body");
}

/** A plan with additional body fields. */
export function planWithOverlay(plan: RequestPlan, { fields, setupSteps }: ObjectOverlay): RequestPlan {
  if (Object.keys(fields).length === 0) return plan;
  const body: Template = { $merge: [plan.call.body ?? {}, { ...fields }] };
  return { ...plan, setupSteps: [...plan.setupSteps, ...setupSteps], call: { ...plan.call, body } };
}

/** The schema of an operation's JSON body. */
export function bodySchema({ requestBody }: Operation): Schema | undefined {
  return requestBody === undefined ? undefined : findJsonContent(requestBody.contents)?.schema;
}

/** The last path parameter, if it references this resource. */
export function ownParameter(operation: Operation, resource: string): string | undefined {
  const last = operation.parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  return last?.reference?.to === resource ? last.name : undefined;
}

/** Pointer to an object of a resource in a response: the body itself, or one of its fields. */
export function pointerInResponse(
  context: ConformanceContext,
  operation: Operation,
  resource: string,
): string | undefined {
  const response = operation.responses.find(({ status }) => status === 200 || status === 201);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (content === undefined) return undefined;
  const parts = schemaParts(context.api, content.schema);
  if (parts.some(({ ref }) => ref === resource)) return "";
  const field = parts
    .flatMap(({ properties = [] }) => properties)
    .find(({ schema }) => schemaParts(context.api, schema).some(({ ref }) => ref === resource));
  return field === undefined ? undefined : `/${field.name}`;
}

export interface ObjectRead {
  readonly stateMachine: { readonly resource: string };
  /** Pointer to the object's representation. */
  readonly root: string;
  /** Names of its parents, by path parameter. */
  readonly names: Readonly<Record<string, string>>;
  readonly by?: Caller;
}

/** A read of the object. Undefined when no operation reads it. */
export function readObjectStep(
  context: ConformanceContext,
  { stateMachine, root, names, by }: ObjectRead,
  expect: Expectation,
): Step | undefined {
  const resource = context.resources.get(stateMachine.resource);
  const readOperation = context.operations.get(resource?.read ?? "");
  if (readOperation === undefined) return undefined;
  const pathParameter = ownParameter(readOperation, stateMachine.resource);
  if (pathParameter === undefined) return undefined;
  const path = Object.create(null) as Record<string, Template>;
  for (const parameter of readOperation.parameters) {
    if (parameter.in !== "path") continue;
    const key = parameter.reference?.by ?? "id";
    const name = ownValue(names, parameter.name);
    if (parameter.name === pathParameter) path[pathParameter] = { $get: `${root}/${key}` };
    else if (name === undefined) return undefined;
    else path[parameter.name] = { $get: `${name}#/${key}` };
  }
  return { call: readOperation.name, path, by, expect };
}

/** The expected response for an object in a state, or for a deleted one. */
export function expectState(context: ConformanceContext, stateMachine: StateMachine, state: string): Expectation {
  const shownState = ownValue(stateMachine.hidden, state) ?? state;
  if (shownState === "$deleted") return expectGone(context, stateMachine);
  const field = stateMachine.field ?? "";
  return { status: 200, body: { required: [field], properties: { [field]: { const: shownState } } } };
}

/** The expected response for a missing object. */
export function expectGone(context: ConformanceContext, { resource }: { readonly resource: string }): Expectation {
  const readOperation = context.operations.get(context.resources.get(resource)?.read ?? "");
  const error = readOperation && findOperationError(context, readOperation, "not-found");
  return error === undefined ? { status: 404 } : expectError(error);
}
