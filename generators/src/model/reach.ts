import type { StateMachine, Transition } from "./api.js";

/** A state, and the previous state to which `$before` returns. `undefined` if it is not known. */
interface Moment {
  readonly state: string;
  readonly before: string | undefined;
}

/**
 * Returns the visible states, each with those that can never follow it by any transition, in the order of the state
 * machine.
 * A state that is entered from itself keeps its previous state.
 */
export function unreachable(machine: StateMachine): ReadonlyMap<string, readonly string[]> {
  const unreached = ofMachines.get(machine) ?? findUnreachable(machine);
  ofMachines.set(machine, unreached);
  return unreached;
}

const ofMachines = new WeakMap<StateMachine, ReadonlyMap<string, readonly string[]>>();

function findUnreachable(machine: StateMachine): ReadonlyMap<string, readonly string[]> {
  const shown = machine.states.filter((state) => !Object.hasOwn(machine.hidden, state));
  return new Map(
    shown.map((state) => {
      const standFor = [state, ...machine.states.filter((each) => machine.hidden[each] === state)];
      const found = new Set(standFor.flatMap((each) => [...statesFrom(machine, each)]));
      return [state, shown.filter((each) => !found.has(each))] as const;
    }),
  );
}

/** Returns every state that is reachable from a state, as responses contain it. */
function statesFrom(machine: StateMachine, start: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const found = new Set<string>();
  const waiting = momentsIn(machine, start);
  for (let moment = waiting.pop(); moment !== undefined; moment = waiting.pop()) {
    const known = `${moment.state} after ${moment.before ?? ""}`;
    if (seen.has(known)) continue;
    seen.add(known);
    found.add(machine.hidden[moment.state] ?? moment.state);
    waiting.push(...nextOf(machine, moment));
  }
  return found;
}

/** Returns a state with every possible previous state. */
function momentsIn({ transitions }: StateMachine, state: string): Moment[] {
  const entering = transitions.filter((each) => pathOf(each).includes(state));
  return [
    { state, before: undefined },
    ...entering.flatMap(({ from }) => from.filter((each) => each !== state).map((before) => ({ state, before }))),
  ];
}

function nextOf(machine: StateMachine, { state, before }: Moment): readonly Moment[] {
  const { initial, transitions } = machine;
  const enter = (next: string, from: string | undefined): readonly Moment[] => {
    if (next === "$gone") return [];
    if (next !== "$before") return [{ state: next, before: next === state ? before : from }];
    return from === undefined ? [] : momentsIn(machine, from);
  };
  const moved = transitions
    .filter(({ from }) => from.includes(state))
    .flatMap(({ to }) => enter(to, to === "$before" ? before : state));
  const settling = [...initial.map(({ to, then }) => [to, ...then]), ...transitions.map(pathOf)].flatMap((path) =>
    path.flatMap((each, index) => {
      const next = path[index + 1];
      return each === state && next !== undefined ? enter(next, before) : [];
    }),
  );
  return [...moved, ...settling];
}

/** Returns the states of a transition, in order. */
function pathOf({ to, then }: Transition): readonly string[] {
  return [to, ...then];
}
