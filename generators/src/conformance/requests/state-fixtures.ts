import type { CallStep, Fixture, Step, Template } from "@plumbline/conformance-runtime";
import { ownValue, type Resource, type StateMachine } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { satisfyCondition } from "../values/condition-solver.js";
import { isPlainObject } from "../values/partial-evaluation.js";
import { referencedNames } from "../values/referenced-names.js";
import { createdResource } from "./created-resources.js";
import { bodySchema, expectState, initialCall, ownParameter, planWithOverlay } from "./object-in-state.js";
import { planRequest } from "./request-plan.js";
import { findStatePath, type StateEdge, type StatePath } from "./state-paths.js";

/** The fixture `Resource@state`: creates an object, and brings it into the state by operations. Undefined if none lead there. */
export function createStateFixture(
  context: ConformanceContext,
  stateMachine: StateMachine,
  state: string,
): Fixture | undefined {
  const path = findStatePath(context, stateMachine, state);
  const resource = context.resources.get(stateMachine.resource);
  if (path === undefined || resource === undefined) return undefined;
  const begun = madeObject(context, stateMachine, path) ?? createdObject(context, stateMachine, path);
  if (begun === undefined) return undefined;
  const { root, inputs } = begun;
  const holders = Object.create(null) as Record<string, string>;
  const steps: Step[] = [...begun.steps, ...(path.initial.then.length > 0 ? [{ settle: true } as const] : [])];
  for (const [index, edge] of path.edges.entries()) {
    const moved = transitionCall(context, edge, { root, holders, as: `moved${index}`, inputs });
    if (moved === undefined) return undefined;
    steps.push(...moved, ...(edge.transition.then.length > 0 ? [{ settle: true } as const] : []));
    const created = createdResource(context.api, edge.operation);
    if (edge.subject.kind === "body" && created !== undefined)
      holders[created.resource.name] = `moved${index}#/body${created.pointer}`;
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
  const holderEntries = Object.entries(holders).map(([name, pointer]) => [holderKey(name), { $get: pointer }] as const);
  const readBody: Template = { $get: "read#/body" };
  return {
    requires: begun.requires,
    steps,
    outputs: holderEntries.length === 0 ? readBody : { $merge: [readBody, Object.fromEntries(holderEntries)] },
  };
}

/** How a fixture begins. */
interface BegunObject extends Pick<Fixture, "requires" | "steps"> {
  /** Pointer to the representation of the object. */
  readonly root: string;
  /** Pointers to its parents, which are inputs of the fixture, by the name of their step. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** The object of the resource's fixture in the settings. Undefined if there is none. */
function madeObject(
  { settings }: ConformanceContext,
  { resource }: StateMachine,
  { edges }: StatePath,
): BegunObject | undefined {
  if (settings.fixtures[resource] === undefined) return undefined;
  const parents = edges.flatMap(({ operation }) =>
    operation.parameters.flatMap(({ name, in: place, reference }) =>
      place === "path" && reference !== undefined && reference.to !== resource
        ? [[objectName(reference.to, name), reference.to] as const]
        : [],
    ),
  );
  const parentInputs = Object.fromEntries(parents.map(([, outer]) => [outer, { $get: `of#/${outer}` }] as const));
  const inputs = new Map(parents.map(([as, outer]) => [as, `of#/${outer}`] as const));
  const creation = { make: resource, as: "begun", with: { $get: "of#/with" }, fresh: true } as const;
  const step = parents.length === 0 ? creation : { ...creation, of: parentInputs };
  return { requires: settings.fixtures[resource].requires, steps: [step], root: "begun#", inputs };
}

/** The object that the operation of an initial state creates. */
function createdObject(
  context: ConformanceContext,
  stateMachine: StateMachine,
  { initial }: StatePath,
): BegunObject | undefined {
  const begun = initialCall(context, stateMachine, initial);
  if (begun === undefined) return undefined;
  const { plan, root } = begun;
  const parents = plan.setupSteps.filter((step) => "make" in step && isOfPath(plan.names, step.as));
  const inputs = new Map(parents.flatMap((step) => ("make" in step ? [[step.as, `of#/${step.make}`] as const] : [])));
  const call = withInputs(plan.call, inputs);
  const steps: readonly Step[] = [
    ...plan.setupSteps.filter((step) => !("make" in step && inputs.has(step.as))),
    { ...call, ...(call.body === undefined ? {} : { body: withFields(call.body) }), as: "begun", setup: true },
  ];
  return { requires: plan.requires, steps, root, inputs };
}

/** A body with the fields of the step that makes the object. Only objects have fields. */
export function withFields(body: Template): Template {
  return isPlainObject(body) ? { $merge: [body, { $get: "of#/with" }] } : body;
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
  const pathParameter = operation.parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  const key = pathParameter?.reference?.by ?? "id";
  const subjectPath =
    subject.kind === "path" ? root : subject.kind === "holder" ? ownValue(holders, subject.resource) : undefined;
  if (subject.kind !== "body" && (pathParameter === undefined || subjectPath === undefined)) return undefined;
  const path =
    pathParameter === undefined || subjectPath === undefined
      ? {}
      : { [pathParameter.name]: { $get: pointerOf(subjectPath, key) } };
  const subjectBody =
    subject.kind === "body"
      ? { body: { $merge: [plan.call.body ?? {}, { [subject.field]: { $get: pointerOf(root, "id") } }] } }
      : {};
  const call: CallStep = { ...plan.call, ...subjectBody, as, setup: true };
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
  const overlay = isMerge(call.body) ? call.body.$merge[1] : undefined;
  return overlay === undefined ? call : { ...call, body: { ...body, ...overlay } };
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
  const readOperation = context.operations.get(resource.read ?? "");
  const pathParameter = readOperation && ownParameter(readOperation, resource.name);
  if (readOperation === undefined || pathParameter === undefined) return undefined;
  const path = Object.create(null) as Record<string, Template>;
  for (const parameter of readOperation.parameters) {
    if (parameter.in !== "path") continue;
    const key = parameter.reference?.by ?? "id";
    const outer = [...inputs.values()].find((each) => each === `of#/${parameter.reference?.to ?? ""}`);
    if (parameter.name === pathParameter) path[pathParameter] = { $get: pointerOf(root, key) };
    else if (outer === undefined) return undefined;
    else path[parameter.name] = { $get: pointerOf(outer, key) };
  }
  return { call: readOperation.name, path };
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
