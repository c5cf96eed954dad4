import { isConditionMet } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import type { MockEvent, MockOperation, MockStateMachine, MockStateSteps, MockTransition } from "../mock-definition.js";
import type { MockRequest } from "../objects/evaluation.js";
import { targetObject } from "../objects/evaluation.js";
import { valueOf, withValues } from "../objects/values.js";
import type { StoredObject, StoredState, Values } from "../store/stored-object.js";
import { removeObject, replaceObject } from "./changes.js";
import { countRunning } from "./limits.js";
import { resolveObjects } from "./selection.js";

/** Seconds of a transient state to which the description gives no duration. */
const defaultDurationSeconds = 10;

/** The states of a new object, and the values that they imply. */
export interface InitialStates {
  readonly states: Readonly<Record<string, StoredState>>;
  readonly values: Values;
}

/** Puts a new object into the initial states of its state machines. */
export function initialStates(
  mock: MockContext,
  { resource, values }: Pick<StoredObject, "resource" | "values">,
  { event, request }: { readonly event: MockEvent | undefined; readonly request: MockRequest | undefined },
): InitialStates {
  const states: Record<string, StoredState> = {};
  let current = values;
  for (const stateMachine of machinesOf(mock, resource)) {
    const start = stateMachine.initial.find(
      (each) =>
        isSameEvent(each.event, event) &&
        (each.when === undefined || (request !== undefined && isConditionMet(each.when, request))),
    );
    const state = start === undefined ? settledState(stateMachine, current) : stateAfter(mock, start, undefined);
    if (state === undefined) continue;
    states[stateMachine.name] = state;
    current = withState(start === undefined ? current : withSets(current, start, request), stateMachine, state);
  }
  return { states, values: current };
}

/** An object that no event has created is in its stated state, or where the first beginning ends. */
function settledState({ field, states, hidden, initial }: MockStateMachine, values: Values): StoredState | undefined {
  const stated = field === undefined ? undefined : values[field];
  const [first] = initial;
  const isStatedState = typeof stated === "string" && states.includes(stated) && !Object.hasOwn(hidden, stated);
  const last = first?.then.findLast((each) => !each.startsWith("$")) ?? first?.to;
  const state = isStatedState ? stated : last;
  return state === undefined ? undefined : { state, previous: undefined, then: [], dueAt: undefined, enteredAt: 0 };
}

/** Moves the objects whose states an operation changes. Returns true if a transition decides about the target. */
export function runTransitions(request: MockRequest): boolean {
  let decidesTarget = false;
  for (const { stateMachine, transitions } of transitionsOf(request)) {
    const [{ subject }] = transitions as [MockTransition];
    const target = targetObject(request);
    const isTarget = subject === undefined && target?.resource === stateMachine.resource;
    const subjects = subject && resolveObjects(request, { resource: stateMachine.resource, ...subject });
    const objects = subjects ?? (isTarget && target !== undefined ? [target] : []);
    if (isTarget) decidesTarget = true;
    for (const object of objects) moveObject(request, object, { stateMachine, transitions });
  }
  return decidesTarget;
}

/** Transitions of one state machine with the same subject. */
interface TransitionGroup {
  readonly stateMachine: MockStateMachine;
  readonly transitions: readonly MockTransition[];
}

const groupsByOperation = new WeakMap<MockOperation, readonly TransitionGroup[]>();

/** The transitions that an operation causes. */
function transitionsOf({ mock, operation, name }: MockRequest): readonly TransitionGroup[] {
  let groups = groupsByOperation.get(operation);
  if (groups === undefined) {
    groups = mock.definition.stateMachines.flatMap((stateMachine) => {
      const operationTransitions = stateMachine.transitions.filter(
        ({ event }) => event.kind === "operation" && event.operation === name,
      );
      return bySubject(operationTransitions).map((transitions) => ({ stateMachine, transitions }));
    });
    groupsByOperation.set(operation, groups);
  }
  return groups;
}

function bySubject(transitions: readonly MockTransition[]): readonly (readonly MockTransition[])[] {
  const groups = new Map<string, MockTransition[]>();
  for (const each of transitions) {
    const key = JSON.stringify(each.subject?.expression ?? null);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

function moveObject(
  request: MockRequest,
  object: StoredObject,
  {
    stateMachine,
    transitions,
  }: { readonly stateMachine: MockStateMachine; readonly transitions: readonly MockTransition[] },
): void {
  const state = object.states[stateMachine.name]?.state;
  const transition = transitions.find(
    ({ from, when }) =>
      state !== undefined && from.includes(state) && (when === undefined || isConditionMet(when, request)),
  );
  if (transition !== undefined) enterState(request.mock, object, { stateMachine, steps: transition, request });
}

/** Performs an event of the platform on an object. Returns false if its state does not allow it. */
export function runPlatformEvent(mock: MockContext, object: StoredObject, platform: string): boolean {
  let isDone = false;
  for (const stateMachine of machinesOf(mock, object.resource)) {
    const state = object.states[stateMachine.name]?.state ?? "";
    const steps = stateMachine.transitions.find(
      ({ event, from }) => event.kind === "platform" && event.platform === platform && from.includes(state),
    );
    if (steps === undefined) continue;
    enterState(mock, object, { stateMachine, steps });
    isDone = true;
  }
  return isDone;
}

/** Puts an object into a state, as only the platform can. What follows on its own is what follows the first transition to it. */
export function setState(mock: MockContext, object: StoredObject, state: string): void {
  for (const stateMachine of machinesOf(mock, object.resource)) {
    if (!stateMachine.states.includes(state)) continue;
    const transition = stateMachine.transitions.find(({ to, event }) => to === state && event.kind === "platform");
    const then = transition?.then ?? stateMachine.transitions.find(({ to }) => to === state)?.then ?? [];
    const steps = { event: { kind: "platform", platform: "set" }, to: state, then, sets: {} } as const;
    enterState(mock, object, { stateMachine, steps });
  }
}

interface StateChange {
  readonly stateMachine: MockStateMachine;
  readonly steps: MockStateSteps & { readonly while?: string };
  readonly request?: MockRequest;
  /** When it happens. Default: now */
  readonly at?: number;
}

function enterState(mock: MockContext, object: StoredObject, { stateMachine, steps, request, at }: StateChange): void {
  if (steps.to === "$deleted") return removeObject(mock, object);
  const before = object.states[stateMachine.name];
  const state = stateAfter(mock, steps, before, at);
  const values = withState(withSets(object.values, steps, request), stateMachine, state);
  replaceObject(mock, object, { values, states: { ...object.states, [stateMachine.name]: state } });
}

/** Performs what is due. */
export function runDueEvents(mock: MockContext): void {
  for (
    let event = mock.jobs.nextDue(mock.clock.now());
    event !== undefined;
    event = mock.jobs.nextDue(mock.clock.now())
  ) {
    const object = mock.store.get(event.key);
    if (object === undefined) return;
    const { stateMachine, cause, at } = event;
    if (cause === "then") endTransientState(mock, object, stateMachine, at);
    else {
      const steps = stateMachine.transitions[cause];
      if (steps !== undefined) enterState(mock, object, { stateMachine, steps, at });
    }
  }
}

function endTransientState(mock: MockContext, object: StoredObject, stateMachine: MockStateMachine, at: number): void {
  const current = object.states[stateMachine.name];
  const [to, ...then] = current?.then ?? [];
  if (current === undefined || to === undefined) return;
  const waiting = current.while === undefined ? undefined : countRunning(mock, current.while, object).lastDueAt;
  if (waiting !== undefined && waiting >= at) {
    const later = { ...current, dueAt: waiting + 1 };
    return replaceObject(mock, object, { states: { ...object.states, [stateMachine.name]: later } });
  }
  const steps = { event: { kind: "platform", platform: "then" }, to, then, sets: {} } as const;
  enterState(mock, object, { stateMachine, steps, at });
}

function stateAfter(
  mock: MockContext,
  { to, then, durationSeconds = defaultDurationSeconds, while: limit }: MockStateSteps & { readonly while?: string },
  before: StoredState | undefined,
  at: number = mock.clock.now(),
): StoredState {
  const state = to === "$previous" ? (before?.previous ?? before?.state ?? to) : to;
  // A job that begins during another one of its kind returns to the state before both.
  const previous = before?.state === state ? before.previous : before?.state;
  const durationMs = mock.pace === 0 ? 0 : (durationSeconds * 1000) / mock.pace;
  return {
    state,
    previous: to === "$previous" ? undefined : previous,
    then,
    dueAt: then.length === 0 ? undefined : at + durationMs,
    enteredAt: at,
    while: limit,
  };
}

/** Values with the state that clients read. */
function withState(values: Values, { field, hidden }: MockStateMachine, { state, previous }: StoredState): Values {
  if (field === undefined) return values;
  const visibleState = Object.hasOwn(hidden, state) ? (hidden[state] ?? state) : state;
  return withValues(values, { [field]: visibleState === "$previous" ? (previous ?? state) : visibleState });
}

function withSets(values: Values, { sets }: MockStateSteps, request: MockRequest | undefined): Values {
  const changes = Object.entries(sets).flatMap(([field, source]) => {
    const value = source.kind === "value" ? source.value : request && valueOf(source, request);
    return value === undefined ? [] : [[field, value] as const];
  });
  return withValues(values, Object.fromEntries(changes));
}

function machinesOf({ definition }: MockContext, resource: string): readonly MockStateMachine[] {
  return definition.stateMachines.filter((each) => each.resource === resource);
}

function isSameEvent(a: MockEvent, b: MockEvent | undefined): boolean {
  if (b === undefined) return false;
  return a.kind === "operation"
    ? b.kind === "operation" && a.operation === b.operation
    : a.kind === "platform" && b.kind === "platform" && a.platform === b.platform;
}
