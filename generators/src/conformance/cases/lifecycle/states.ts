import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { ownValue, type Operation, type StateMachine, type Transition } from "@plumbline/kit/model";
import { createCase, nearestRequirements, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { fixturesOf } from "../../requests/fixtures.js";
import {
  bodySchema,
  planWithOverlay,
  ownParameter,
  readObjectStep,
  expectState,
  bringIntoState,
  type ObjectInState,
} from "../../requests/object-in-state.js";
import { inputsFrom, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { holderKey } from "../../requests/state-fixtures.js";
import { transitionSubject, type TransitionSubject } from "../../requests/state-paths.js";
import { satisfyCondition } from "../../values/condition-solver.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { referencedNames } from "../../values/referenced-names.js";
import { initialStateCases } from "./initial-states.js";
import { platformValueCases } from "./platform-values.js";
import { platformCases } from "./platform.js";
import { unseenDeadlineCases } from "./unseen-deadlines.js";

/** Cases of state machines: every state with every operation, allowed or rejected. */
export function stateCases(context: ConformanceContext): readonly Case[] {
  fixturesOf(context);
  const stateMachines = context.api.stateMachines.filter(({ field }) => field !== undefined);
  const cases = stateMachines.flatMap((stateMachine) => [
    ...operationTransitions(context, stateMachine).flatMap((move) => transitionCases(context, stateMachine, move)),
    ...initialStateCases(context, stateMachine),
    ...platformCases(context, stateMachine),
    ...platformValueCases(context, stateMachine),
  ]);
  return [...cases, ...unseenDeadlineCases(context)];
}

/** The transitions of an operation, for the path's object or for another. */
interface OperationTransitions {
  readonly operation: string;
  readonly subject: TransitionSubject;
  readonly transitions: readonly Transition[];
}

function operationTransitions(
  { operations }: ConformanceContext,
  stateMachine: StateMachine,
): readonly OperationTransitions[] {
  const moves = new Map<string, OperationTransitions>();
  for (const transition of stateMachine.transitions) {
    const { event } = transition;
    const operation = event.kind === "operation" ? operations.get(event.operation) : undefined;
    const subject = operation && transitionSubject(operation, stateMachine.resource, transition);
    if (operation === undefined || subject === undefined) continue;
    const key = `${operation.name} ${JSON.stringify(subject)}`;
    const transitions = moves.get(key)?.transitions ?? [];
    moves.set(key, { operation: operation.name, subject, transitions: [...transitions, transition] });
  }
  return [...moves.values()];
}

function transitionCases(
  context: ConformanceContext,
  stateMachine: StateMachine,
  move: OperationTransitions,
): readonly Case[] {
  const operation = context.operations.get(move.operation);
  if (operation === undefined || operation.path === "") return [];
  return stateMachine.states.flatMap((state) => {
    const { subject } = move;
    const field = subject.kind === "body" ? subject.field : undefined;
    const about = { context, stateMachine, operation, subject, field, state };
    const legal = move.transitions.filter(({ from }) => from.includes(state));
    const legals = legal.flatMap((transition) => allowedCase({ ...about, transition }) ?? []);
    const [first] = move.transitions;
    if (legal.length > 0 || first === undefined) return legals;
    return rejectedCase({ ...about, transition: first }) ?? [];
  });
}

interface TransitionContext {
  readonly context: ConformanceContext;
  readonly stateMachine: StateMachine;
  readonly operation: Operation;
  readonly subject: TransitionSubject;
  /** The body field that references the object. */
  readonly field: string | undefined;
  readonly state: string;
  readonly transition: Transition;
}

function allowedCase(about: TransitionContext): Case | undefined {
  const { context, stateMachine, operation, state, transition } = about;
  const { to, then, when } = transition;
  const staged = prepareTransition(about);
  const body = bodySchema(operation);
  const overlay =
    when?.body && body ? satisfyCondition({ context, schema: body }, when.body) : { fields: {}, setupSteps: [] };
  const isBodyOnly = when === undefined || Object.keys(when).every((member) => member === "body");
  if (staged === undefined || overlay === undefined || !isBodyOnly) return undefined;
  const { objectInState, setupSteps, names } = staged;
  const plan = planWithOverlay(staged.plan, overlay);
  const isHeld = then.length > 0 || objectInState.holdsJobs;
  const reading = (nextState: string): Step | undefined =>
    readObjectStep(context, { stateMachine, root: objectInState.root, names }, shownOr(about, nextState));
  const begun = reading(stateOf(to, state));
  const end = then.at(-1);
  // The previous state is unknown when a fixture has set the state.
  const ended = end === undefined || (end === "$previous" && to === state) ? undefined : reading(stateOf(end, state));
  if (begun === undefined) return undefined;
  return createCase(context, {
    operation,
    kind: "states",
    idParts: ["states", ...placeOf(about), state, to],
    title: `${subjectOf(about)} that is ${state} becomes ${stateName(to)}${end === undefined ? "" : `, and then ${stateName(end)}`}`,
    requirements: sourcesOf(about),
    requires: plan.requires,
    exclusive: true,
    steps: [
      ...setupSteps,
      ...overlay.setupSteps,
      ...(isHeld && !objectInState.holdsJobs ? [{ hold: true } as const] : []),
      plan.call,
      begun,
      ...(ended === undefined ? [] : [{ hold: false } as const, { settle: true } as const, ended]),
    ],
  });
}

function rejectedCase(about: TransitionContext): Case | undefined {
  const { context, stateMachine, operation, field, state, transition } = about;
  const error = findOperationError(context, operation, transition.error);
  const staged = prepareTransition(about);
  if (staged === undefined || error === undefined) return undefined;
  const { objectInState, setupSteps, names, plan } = staged;
  const unchanged = readObjectStep(
    context,
    { stateMachine, root: objectInState.root, names },
    expectState(context, stateMachine, state),
  );
  return createCase(context, {
    operation,
    kind: "states",
    idParts: ["states", ...placeOf(about), state, "rejected"],
    title: `${subjectOf(about)} that is ${state} rejects ${operation.name}, and keeps its state`,
    requirements: [...requirementIds(error.sources), ...sourcesOf(about)],
    requires: plan.requires,
    exclusive: true,
    steps: [
      ...setupSteps,
      { ...plan.call, expect: expectError(error, field) },
      ...(unchanged === undefined ? [] : [unchanged]),
    ],
  });
}

interface PreparedTransition {
  readonly plan: RequestPlan;
  readonly objectInState: ObjectInState;
  readonly setupSteps: readonly Step[];
  /** Names of the object's parents, by path parameter. */
  readonly names: Readonly<Record<string, string>>;
}

/** The operation's plan with an object in the state. */
function prepareTransition({
  context,
  stateMachine,
  operation,
  subject,
  field,
  state,
}: TransitionContext): PreparedTransition | undefined {
  const plan = planRequest(context, operation, { objects: "own" });
  if (subject.kind === "holder") return prepareHolder({ context, stateMachine, operation, state, plan, subject });
  if (field !== undefined) {
    const standing = bringIntoState(context, { stateMachine, state, as: "moved", of: {} });
    if (standing === undefined) return undefined;
    const reference: Template = { $get: `${standing.root}/id` };
    const sent = plan.call.body;
    const isPlain = isPlainObject(sent);
    const body: Template = isPlain ? { ...sent, [field]: reference } : { $merge: [sent ?? {}, { [field]: reference }] };
    // The plan's own object is not needed, if only the field has referred to it.
    const needed = isPlain ? referencedNames({ ...plan.call.path, body }) : undefined;
    const setup = plan.setupSteps.filter(
      (step) => !("make" in step) || needed?.has(step.as) !== false || !plan.usedUp.includes(step.as),
    );
    const before = [...setup, ...standing.steps];
    return { plan: { ...plan, call: { ...plan.call, body } }, objectInState: standing, setupSteps: before, names: {} };
  }
  const parameter = ownParameter(operation, stateMachine.resource);
  if (parameter === undefined) return undefined;
  const as = ownValue(plan.names, parameter) ?? objectName(stateMachine.resource);
  const at = plan.setupSteps.findIndex((step) => "make" in step && step.as === as);
  const around = plan.setupSteps.slice(0, at);
  const inputs = inputsFrom(around);
  const standing = bringIntoState(context, { stateMachine, state, as, of: inputs });
  if (standing === undefined) return undefined;
  const key = operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
  const path = { ...plan.call.path, [parameter]: { $get: `${standing.root}/${key}` } };
  const before = [...around, ...standing.steps, ...plan.setupSteps.slice(at + 1)];
  return {
    plan: { ...plan, call: { ...plan.call, path } },
    objectInState: standing,
    setupSteps: before,
    names: plan.names,
  };
}

interface HolderTransition extends Pick<TransitionContext, "context" | "stateMachine" | "operation" | "state"> {
  readonly plan: RequestPlan;
  readonly subject: Extract<TransitionSubject, { readonly kind: "holder" }>;
}

/** The path has an object that refers to the one that changes, such as the loan of a book. It exists only in some states. */
function prepareHolder({
  context,
  stateMachine,
  operation,
  state,
  plan,
  subject,
}: HolderTransition): PreparedTransition | undefined {
  const key = holderKey(subject.resource);
  const fixture = context.derivedFixtures.get(`${stateMachine.resource}@${state}`);
  const pathParameter = operation.parameters.findLast((each) => each.in === "path" && each.reference !== undefined);
  if (pathParameter === undefined || !JSON.stringify(fixture?.outputs ?? null).includes(`"${key}"`)) return undefined;
  const standing = bringIntoState(context, { stateMachine, state, as: "moved", of: {} });
  if (standing === undefined) return undefined;
  const path = {
    ...plan.call.path,
    [pathParameter.name]: { $get: `${standing.root}/${key}/${pathParameter.reference?.by ?? "id"}` },
  };
  return {
    plan: { ...plan, call: { ...plan.call, path } },
    objectInState: standing,
    setupSteps: standing.steps,
    names: {},
  };
}

function shownOr({ context, stateMachine }: TransitionContext, state: string): ReturnType<typeof expectState> {
  return expectState(
    context,
    state === "$deleted" ? { ...stateMachine, hidden: { $deleted: "$deleted" } } : stateMachine,
    state,
  );
}

function stateOf(to: string, before: string): string {
  return to === "$previous" ? before : to;
}

function stateName(state: string): string {
  return state === "$deleted" ? "gone" : state === "$previous" ? "what it was" : state;
}

function subjectOf({ stateMachine, field }: TransitionContext): string {
  return field === undefined ? stateMachine.resource : `${stateMachine.resource} in ${field}`;
}

/** Several objects may change with one operation. */
function placeOf({ subject }: TransitionContext): readonly string[] {
  return subject.kind === "path" ? [] : [subject.field];
}

function sourcesOf({ stateMachine, operation, transition }: TransitionContext): readonly string[] {
  return nearestRequirements(transition.sources, stateMachine.sources, operation.sources);
}
