import { ownValue } from "@plumbline/model";
import type { CallStep, Fixture, Step, Template } from "@plumbline/conformance-runtime";
import type { Resource, StateMachine } from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";
import { referencedNames } from "./callers.js";
import { createdResource } from "./created-resources.js";
import { bodySchema, expectState, initialCall, ownParameter, planWithOverlay } from "./object-in-state.js";
import { planRequest } from "./request-plan.js";
import { findStatePath, type StateEdge } from "./state-paths.js";
import { isPlainObject } from "../values/partial-evaluation.js";
import { satisfyCondition } from "../values/condition-solver.js";

/** The fixture `Resource@state`: creates an object, and brings it into the state by operations. Undefined if none lead there. */
export function createStateFixture(
  context: ConformanceContext,
  stateMachine: StateMachine,
  state: string,
): Fixture | undefined {
  const path = findStatePath(context, stateMachine, state);
  const begun = path && initialCall(context, stateMachine, path.initial);
  const resource = context.resources.get(stateMachine.resource);
  if (path === undefined || begun === undefined || resource === undefined) return undefined;
  const { plan, root } = begun;
  const parents = Object.fromEntries(
    plan.setupSteps.flatMap((step) => ("make" in step && isOfPath(plan.names, step.as) ? [[step.make, step.as]] : [])),
  ) as Readonly<Record<string, string>>;
  // The parents are inputs of the fixture.
  const inputs = new Map(Object.entries(parents).map(([outer, as]) => [as, `of#/${outer}`] as const));
  const holders = Object.create(null) as Record<string, string>;
  const steps: Step[] = [
    ...plan.setupSteps.filter((step) => !("make" in step && inputs.has(step.as))),
    { ...withInputs(plan.call, inputs), as: "begun", setup: true },
    ...(path.initial.then.length > 0 ? [{ settle: true } as const] : []),
  ];
  for (const [index, edge] of path.edges.entries()) {
    const moved = transitionCall(context, edge, { root, holders, as: `moved${index}`, inputs });
    if (moved === undefined) return undefined;
    steps.push(...moved, ...(edge.transition.then.length > 0 ? [{ settle: true } as const] : []));
    const made = createdResource(context.api, edge.operation);
    if (edge.subject.kind === "body" && made !== undefined)
      holders[made.resource.name] = `moved${index}#/body${made.pointer}`;
  }
  const read = readStep(context, resource, { root, inputs });
  if (read === undefined) return undefined;
  // What operations do is done at once; only the platform takes time.
  const isAwaited = [path.initial, ...path.edges.map((each) => each.transition)].some(({ then }) => then.length > 0);
  steps.push({
    ...read,
    as: "read",
    ...(isAwaited ? { until: true as const } : {}),
    setup: true,
    expect: expectState(context, stateMachine, state),
  });
  const held = Object.entries(holders).map(([name, of]) => [holderKey(name), { $get: of }] as const);
  const shown: Template = { $get: "read#/body" };
  return {
    requires: plan.requires,
    steps,
    outputs: held.length === 0 ? shown : { $merge: [shown, Object.fromEntries(held)] },
  };
}

/** The member of an object in a state that has the object which refers to it, such as the loan of a book. */
export function holderKey(resource: string): string {
  return `@${resource}`;
}

export interface SubjectObject {
  /** Pointer to its representation. */
  readonly root: string;
  /** Pointers to objects that refer to it, by resource. */
  readonly holders: Readonly<Record<string, string>>;
  /** The name to which the response is bound. */
  readonly as: string;
  /** Pointers to its parents, by the name of their step. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/** The steps of a transition of an object; the last one is its call. */
export function transitionCall(
  context: ConformanceContext,
  { operation, transition, subject }: StateEdge,
  { root, holders, as, inputs = new Map() }: SubjectObject,
): readonly Step[] | undefined {
  const body = bodySchema(operation);
  const { when } = transition;
  const overlay = when?.body && body ? satisfyCondition({ context, schema: body }, when.body) : undefined;
  if (when?.body !== undefined && overlay === undefined) return undefined;
  const planned = planRequest(context, operation, { objects: "own" });
  const plan = overlay === undefined ? planned : planWithOverlay(planned, overlay);
  const own = operation.parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  const key = own?.reference?.by ?? "id";
  const subjectPath =
    subject.kind === "path" ? root : subject.kind === "holder" ? ownValue(holders, subject.resource) : undefined;
  if (subject.kind !== "body" && (own === undefined || subjectPath === undefined)) return undefined;
  const path =
    own === undefined || subjectPath === undefined ? {} : { [own.name]: { $get: pointerOf(subjectPath, key) } };
  const named =
    subject.kind === "body"
      ? { body: { $merge: [plan.call.body ?? {}, { [subject.field]: { $get: pointerOf(root, "id") } }] } }
      : {};
  const call: CallStep = { ...plan.call, ...named, as, setup: true };
  const whole = withInputs(
    { ...call, ...(Object.keys({ ...call.path, ...path }).length === 0 ? {} : { path: { ...call.path, ...path } }) },
    inputs,
  );
  const sent = withoutReplaced(whole, subject.kind === "body" ? subject.field : undefined, plan.call.body);
  const needed = referencedNames({ path: sent.path ?? {}, body: sent.body ?? null });
  const before = plan.setupSteps.filter(
    (step) =>
      !("make" in step) ||
      (!inputs.has(step.as) && (needed.has(step.as) || isNeeded(step.as, plan.setupSteps, needed))),
  );
  return [...before, sent];
}

/** True for an object that a needed object is created within. */
function isNeeded(name: string, steps: readonly Step[], needed: ReadonlySet<string>): boolean {
  return steps.some((step) => "make" in step && needed.has(step.as) && referencedNames(step.of ?? {}).has(name));
}

/** A body in which the reference to another object is replaced, and not merged, so that the object is not created. */
function withoutReplaced(call: CallStep, field: string | undefined, body: Template | undefined): CallStep {
  if (field === undefined || !isPlainObject(body)) return call;
  const named = isMerge(call.body) ? call.body.$merge[1] : undefined;
  return named === undefined ? call : { ...call, body: { ...body, ...named } };
}

function isMerge(
  body: Template | undefined,
): body is { readonly $merge: readonly [Template, { readonly [name: string]: Template }] } {
  return typeof body === "object" && body !== null && "$merge" in body;
}

function readStep(
  context: ConformanceContext,
  resource: Resource,
  { root, inputs }: { readonly root: string; readonly inputs: ReadonlyMap<string, string> },
): CallStep | undefined {
  const read = context.operations.get(resource.read ?? "");
  const own = read && ownParameter(read, resource.name);
  if (read === undefined || own === undefined) return undefined;
  const path = Object.create(null) as Record<string, Template>;
  for (const parameter of read.parameters) {
    if (parameter.in !== "path") continue;
    const key = parameter.reference?.by ?? "id";
    const outer = [...inputs.values()].find((each) => each === `of#/${parameter.reference?.to ?? ""}`);
    if (parameter.name === own) path[own] = { $get: pointerOf(root, key) };
    else if (outer === undefined) return undefined;
    else path[parameter.name] = { $get: pointerOf(outer, key) };
  }
  return { call: read.name, path };
}

function pointerOf(root: string, key: string): string {
  return root.includes("#") ? `${root}/${key}` : `${root}#/${key}`;
}

function isOfPath(names: Readonly<Record<string, string>>, as: string): boolean {
  return Object.values(names).includes(as);
}

/** The call with its parents read from the inputs of the fixture. */
function withInputs(call: CallStep, inputs: ReadonlyMap<string, string>): CallStep {
  if (inputs.size === 0) return call;
  const text = [...inputs].reduce(
    (json, [as, input]) => json.replaceAll(`"$get":"${as}#`, `"$get":"${input}`),
    JSON.stringify(call),
  );
  return JSON.parse(text) as CallStep;
}
