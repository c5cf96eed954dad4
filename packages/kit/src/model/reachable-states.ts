import type { StateMachine, Transition } from "./api.js";
import { ownValue } from "./json-values.js";

/** A state, and the previous state to which `$previous` returns. `undefined` if it is not known. */
interface VisitedState {
  readonly state: string;
  readonly previous: string | undefined;
}

/**
 * Returns the visible states, each with those that can never follow it by any transition, in the order of the state
 * machine.
 * A state that is entered from itself keeps its previous state.
 */
export function unreachableStates(stateMachine: StateMachine): ReadonlyMap<string, readonly string[]> {
  const unreached = unreachableByMachine.get(stateMachine) ?? findUnreachableStates(stateMachine);
  unreachableByMachine.set(stateMachine, unreached);
  return unreached;
}

const unreachableByMachine = new WeakMap<StateMachine, ReadonlyMap<string, readonly string[]>>();

function findUnreachableStates(stateMachine: StateMachine): ReadonlyMap<string, readonly string[]> {
  const visible = stateMachine.states.filter((state) => !Object.hasOwn(stateMachine.hidden, state));
  return new Map(
    visible.map((state) => {
      const standFor = [state, ...stateMachine.states.filter((each) => ownValue(stateMachine.hidden, each) === state)];
      const reachable = new Set(standFor.flatMap((each) => [...statesFrom(stateMachine, each)]));
      return [state, visible.filter((each) => !reachable.has(each))] as const;
    }),
  );
}

/** Returns every state that is reachable from a state, as responses contain it. */
function statesFrom(stateMachine: StateMachine, start: string): ReadonlySet<string> {
  const visited = new Set<string>();
  const states = new Set<string>();
  const waiting = visitsOf(stateMachine, start);
  for (let moment = waiting.pop(); moment !== undefined; moment = waiting.pop()) {
    const visit = `${moment.state} after ${moment.previous ?? ""}`;
    if (visited.has(visit)) continue;
    visited.add(visit);
    states.add(ownValue(stateMachine.hidden, moment.state) ?? moment.state);
    waiting.push(...nextVisits(stateMachine, moment));
  }
  return states;
}

/** Returns a state with every possible previous state. */
function visitsOf({ transitions }: StateMachine, state: string): VisitedState[] {
  const entering = transitions.filter((each) => statesOf(each).includes(state));
  return [
    { state, previous: undefined },
    ...entering.flatMap(({ from }) => from.filter((each) => each !== state).map((previous) => ({ state, previous }))),
  ];
}

function nextVisits(stateMachine: StateMachine, { state, previous }: VisitedState): readonly VisitedState[] {
  const { initial, transitions } = stateMachine;
  const enter = (next: string, from: string | undefined): readonly VisitedState[] => {
    if (next === "$deleted") return [];
    if (next !== "$previous") return [{ state: next, previous: next === state ? previous : from }];
    return from === undefined ? [] : visitsOf(stateMachine, from);
  };
  const moved = transitions
    .filter(({ from }) => from.includes(state))
    .flatMap(({ to }) => enter(to, to === "$previous" ? previous : state));
  const settling = [...initial.map(({ to, then }) => [to, ...then]), ...transitions.map(statesOf)].flatMap((path) =>
    path.flatMap((each, index) => {
      const next = path[index + 1];
      return each === state && next !== undefined ? enter(next, previous) : [];
    }),
  );
  return [...moved, ...settling];
}

/** Returns the states of a transition, in order. */
function statesOf({ to, then }: Transition): readonly string[] {
  return [to, ...then];
}
