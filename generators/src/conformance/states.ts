import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, StateMachine, Transition } from "../model/api.js";
import { beginningCases } from "./beginnings.js";
import { caseOf, nearestRequirements, requirementsOf, type Context } from "./context.js";
import { nameOf, planOf, type Plan } from "./plans.js";
import { platformCases } from "./platform.js";
import { platformValueCases } from "./platform-values.js";
import { failing } from "./failing.js";
import { failureOf } from "./refused.js";
import { satisfying } from "./satisfying.js";
import { bodyShape, laidOver, ownParameter, readingOf, showing, standingIn, type Standing } from "./standing.js";

/** Cases of state machines: every state with every operation, allowed or rejected. */
export function stateCases(context: Context): readonly Case[] {
  const machines = context.api.machines.filter(({ field }) => field !== undefined);
  return machines.flatMap((machine) => [
    ...movesOf(machine).flatMap((move) => moveCases(context, machine, move)),
    ...beginningCases(context, machine),
    ...platformCases(context, machine),
    ...platformValueCases(context, machine),
  ]);
}

/** The transitions of an operation, for the path's object or for another. */
interface Move {
  readonly operation: string;
  /** The body field that references the other object. */
  readonly field: string | undefined;
  readonly transitions: readonly Transition[];
}

function movesOf(machine: StateMachine): readonly Move[] {
  const moves = new Map<string, Move>();
  for (const transition of machine.transitions) {
    const { by, on } = transition;
    if (by.kind !== "operation") continue;
    const field = on?.root === "request" && on.part === "body" && on.pointer.length === 1 ? on.pointer[0] : undefined;
    if (on !== undefined && field === undefined) continue;
    const key = `${by.operation} ${field ?? ""}`;
    const known = moves.get(key)?.transitions ?? [];
    moves.set(key, { operation: by.operation, field, transitions: [...known, transition] });
  }
  return [...moves.values()];
}

function moveCases(context: Context, machine: StateMachine, move: Move): readonly Case[] {
  const operation = context.operations.get(move.operation);
  if (operation === undefined || operation.path === "") return [];
  return machine.states.flatMap((state) => {
    const about = { context, machine, operation, field: move.field, state };
    const legal = move.transitions.filter(({ from }) => from.includes(state));
    const legals = legal.flatMap((transition) => legalCase({ ...about, transition }) ?? []);
    const [first] = move.transitions;
    if (legal.length > 0 || first === undefined) return legals;
    return illegalCase({ ...about, transition: first }) ?? [];
  });
}

interface About {
  readonly context: Context;
  readonly machine: StateMachine;
  readonly operation: Operation;
  readonly field: string | undefined;
  readonly state: string;
  readonly transition: Transition;
}

function legalCase(about: About): Case | undefined {
  const { context, machine, operation, field, state, transition } = about;
  const { to, then, when } = transition;
  const staged = stage(about);
  const body = bodyShape(operation);
  const overlay = when?.body && body ? satisfying({ context, form: body }, when.body) : { fields: {}, before: [] };
  const isBodyOnly = when === undefined || Object.keys(when).every((member) => member === "body");
  if (staged === undefined || overlay === undefined || !isBodyOnly) return undefined;
  const { standing, before, names } = staged;
  const plan = laidOver(staged.plan, overlay);
  const isHeld = then.length > 0 || standing.isHeld;
  const reading = (shown: string): Step | undefined =>
    readingOf(context, { machine, root: standing.root, names }, shownOr(about, shown));
  const begun = reading(stateOf(to, state));
  const end = then.at(-1);
  // The previous state is unknown when a recipe has set the state.
  const ended = end === undefined || (end === "$before" && to === state) ? undefined : reading(stateOf(end, state));
  if (begun === undefined) return undefined;
  return caseOf(context, {
    operation,
    kind: "states",
    about: ["states", ...(field === undefined ? [] : [field]), state, to],
    title: `${subjectOf(about)} that is ${state} becomes ${named(to)}${end === undefined ? "" : `, and then ${named(end)}`}`,
    requirements: sourcesOf(about),
    needs: plan.needs,
    alone: true,
    steps: [
      ...before,
      ...overlay.before,
      ...(isHeld && !standing.isHeld ? [{ hold: true } as const] : []),
      plan.call,
      begun,
      ...(ended === undefined ? [] : [{ hold: false } as const, { settle: true } as const, ended]),
    ],
  });
}

function illegalCase(about: About): Case | undefined {
  const { context, machine, operation, field, state, transition } = about;
  const failure = failureOf(context, operation, transition.else);
  const staged = stage(about);
  if (staged === undefined || failure === undefined) return undefined;
  const { standing, before, names, plan } = staged;
  const unchanged = readingOf(context, { machine, root: standing.root, names }, showing(context, machine, state));
  return caseOf(context, {
    operation,
    kind: "states",
    about: ["states", ...(field === undefined ? [] : [field]), state, "refused"],
    title: `${subjectOf(about)} that is ${state} rejects ${operation.name}, and keeps its state`,
    requirements: [...requirementsOf(failure.sources), ...sourcesOf(about)],
    needs: plan.needs,
    alone: true,
    steps: [
      ...before,
      { ...plan.call, expect: failing(failure, field) },
      ...(unchanged === undefined ? [] : [unchanged]),
    ],
  });
}

interface Staged {
  readonly plan: Plan;
  readonly standing: Standing;
  readonly before: readonly Step[];
  /** Names of the object's parents, by path parameter. */
  readonly names: Readonly<Record<string, string>>;
}

/** The operation's plan with an object in the state. */
function stage({ context, machine, operation, field, state }: About): Staged | undefined {
  const plan = planOf(context, operation, { objects: "own" });
  if (field !== undefined) {
    const standing = standingIn(context, { machine, state, as: "moved", of: {} });
    if (standing === undefined) return undefined;
    const body: Template = { $merge: [plan.call.body ?? {}, { [field]: { $get: `${standing.root}/id` } }] };
    const before = [...plan.before, ...standing.steps];
    return { plan: { ...plan, call: { ...plan.call, body } }, standing, before, names: {} };
  }
  const parameter = ownParameter(operation, machine.resource);
  if (parameter === undefined) return undefined;
  const as = plan.names[parameter] ?? nameOf(machine.resource);
  const at = plan.before.findIndex((step) => "make" in step && step.as === as);
  const around = plan.before.slice(0, at);
  const of = Object.fromEntries(
    around.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
  );
  const standing = standingIn(context, { machine, state, as, of });
  if (standing === undefined) return undefined;
  const key = operation.parameters.find(({ name }) => name === parameter)?.reference?.by ?? "id";
  const path = { ...plan.call.path, [parameter]: { $get: `${standing.root}/${key}` } };
  const before = [...around, ...standing.steps, ...plan.before.slice(at + 1)];
  return { plan: { ...plan, call: { ...plan.call, path } }, standing, before, names: plan.names };
}

function shownOr({ context, machine }: About, state: string): ReturnType<typeof showing> {
  return showing(context, state === "$gone" ? { ...machine, hidden: { $gone: "$gone" } } : machine, state);
}

function stateOf(to: string, before: string): string {
  return to === "$before" ? before : to;
}

function named(state: string): string {
  return state === "$gone" ? "gone" : state === "$before" ? "what it was" : state;
}

function subjectOf({ machine, field }: About): string {
  return field === undefined ? machine.resource : `${machine.resource} in ${field}`;
}

function sourcesOf({ machine, operation, transition }: About): readonly string[] {
  return nearestRequirements(transition.sources, machine.sources, operation.sources);
}
