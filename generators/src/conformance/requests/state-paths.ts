import type { InitialState, Operation, StateMachine, Transition } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { createdResource } from "./created-resources.js";

/** A transition that an operation causes, and where its request refers to the object. */
export interface StateEdge {
  readonly operation: Operation;
  readonly transition: Transition;
  readonly subject: TransitionSubject;
}

/** `path`: the object of the path. `body`: the one that a field of the body refers to. `holder`: the one that a field of the path's object refers to. */
export type TransitionSubject =
  | { readonly kind: "path" }
  | { readonly kind: "body"; readonly field: string }
  | { readonly kind: "holder"; readonly resource: string; readonly field: string };

/** The operations that create an object and bring it into a state. */
export interface StatePath {
  readonly initial: InitialState;
  readonly edges: readonly StateEdge[];
}

/**
 * The shortest path of operations to a state, from the state of the resource's fixture in the settings if there is one. Undefined if only the
 * platform, or time, leads there, and if the state of the fixture is unknown.
 */
export function findStatePath(
  context: ConformanceContext,
  stateMachine: StateMachine,
  state: string,
): StatePath | undefined {
  const edges = stateMachine.transitions.flatMap((each) => stateEdge(context, stateMachine, each) ?? []);
  const isStated = context.settings.fixtures[stateMachine.resource] !== undefined;
  const start = isStated ? stateOfFixture(context, stateMachine) : undefined;
  const starts = isStated
    ? stateMachine.initial
        .slice(0, 1)
        .flatMap((each) => (start === undefined ? [] : [{ ...each, to: start, then: [] }]))
    : stateMachine.initial.filter((initial) => isRequested(context, initial));
  let paths: readonly StatePath[] = starts.map((initial) => ({ initial, edges: [] }));
  const visited = new Set<string>();
  while (paths.length > 0) {
    const path = paths.find((each) => endOfPath(each) === state);
    if (path !== undefined) return path;
    for (const each of paths) visited.add(placeOf(each));
    paths = paths
      .flatMap((each) =>
        edges
          .filter((edge) => edge.transition.from.includes(endOfPath(each)) && hasHolder(context, each, edge))
          .map((edge): StatePath => ({ ...each, edges: [...each.edges, edge] })),
      )
      .filter((each) => !visited.has(placeOf(each)) && each.edges.length <= stateMachine.states.length);
  }
  return undefined;
}

/** The state of an object that the fixture of the settings makes: where its calls lead. Undefined if they create none, or in one of several states. */
export function stateOfFixture(
  { settings }: ConformanceContext,
  { resource, initial, transitions }: StateMachine,
): string | undefined {
  let state: string | undefined;
  for (const step of settings.fixtures[resource]?.steps ?? []) {
    if (!("call" in step)) continue;
    const isEvent = ({ event }: Pick<Transition, "event">): boolean =>
      event.kind === "operation" && event.operation === step.call;
    const starts = initial.filter(isEvent);
    // Which of several states it begins in depends on the request.
    const start = starts.length === 1 ? starts[0] : undefined;
    const move = transitions.find((each) => isEvent(each) && state !== undefined && each.from.includes(state));
    if (move !== undefined) state = settledState(move);
    else if (start !== undefined && state === undefined) state = settledState(start);
  }
  return state;
}

/** A transition as an edge. Undefined for one that no operation causes, or whose object or condition no request can determine. */
export function stateEdge(
  context: ConformanceContext,
  { resource }: StateMachine,
  transition: Transition,
): StateEdge | undefined {
  const { event, when } = transition;
  const operation = event.kind === "operation" ? context.operations.get(event.operation) : undefined;
  const subject = operation && transitionSubject(operation, resource, transition);
  const isRequestable = when === undefined || Object.keys(when).every((member) => member === "body");
  if (operation === undefined || operation.path === "" || subject === undefined || !isRequestable) return undefined;
  return { operation, transition, subject };
}

/** Where the request of a transition refers to the object. */
export function transitionSubject(
  operation: Operation,
  resource: string,
  { subject }: Transition,
): TransitionSubject | undefined {
  const pathParameter = operation.parameters.findLast(
    (each) => each.in === "path" && each.reference !== undefined,
  )?.reference;
  if (subject === undefined) return pathParameter?.to === resource ? { kind: "path" } : undefined;
  const [field, ...more] = subject.pointer;
  if (field === undefined || more.length > 0) return undefined;
  if (subject.root === "request" && subject.part === "body") return { kind: "body", field };
  return subject.root === "target" && pathParameter !== undefined
    ? { kind: "holder", resource: pathParameter.to, field }
    : undefined;
}

/** The state at the end of a path, once the platform has finished its jobs. */
export function endOfPath({ initial, edges }: StatePath): string {
  return settledState(edges.at(-1)?.transition ?? initial);
}

export function settledState({ to, then }: Pick<Transition, "to" | "then">): string {
  return then.at(-1) ?? to;
}

function isRequested({ operations }: ConformanceContext, { event, when }: InitialState): boolean {
  const operation = event.kind === "operation" ? operations.get(event.operation) : undefined;
  const isDefault = when === undefined || Object.keys(when).every((member) => member === "body");
  return operation !== undefined && operation.path !== "" && isDefault;
}

/** The holder of an object has to exist: an earlier request of the path has created it. */
function hasHolder({ api }: ConformanceContext, { edges }: StatePath, { subject }: StateEdge): boolean {
  if (subject.kind !== "holder") return true;
  return edges.some(
    (each) => each.subject.kind === "body" && createdResource(api, each.operation)?.resource.name === subject.resource,
  );
}

function placeOf(path: StatePath): string {
  const holders = path.edges.filter(({ subject }) => subject.kind === "body").map(({ operation }) => operation.name);
  return [endOfPath(path), ...new Set(holders)].join(" ");
}
