import { isMet, type Condition } from "./conditions.js";
import { nothingFound, type Facts } from "./facts.js";
import type { Beginning, Lifetime, Move, StateOf, TargetOf, TriggerOf } from "./moves.js";

/** How something that is stored moves from state to state, by a table of its moves. `Shown` is what clients see of its states. */
export interface Machine<Moves, Shown = StateOf<Moves>> {
  /** Such as `InstanceStatus`. */
  readonly name: string;
  readonly resource: string;
  /** The field that holds the state; absent for a sequence that no field shows. */
  readonly field?: string;
  /** Every state, hidden ones last. */
  readonly states: readonly StateOf<Moves>[];
  /** States that are shown as another one, or, with `$gone`, not at all. */
  readonly hidden: Readonly<Record<string, string>>;

  /** How something begins that a trigger makes: the first way whose condition holds. A condition that needs what `facts` lack does not. */
  initial(trigger: string, facts?: Partial<Facts>): Beginning<StateOf<Moves>> | undefined;

  /** Whether a trigger moves what is in a state. Conditions are not asked: `next` asks them. */
  can(state: StateOf<Moves>, trigger: TriggerOf<Moves>): boolean;

  /**
   * The move that a trigger makes: the first whose condition holds. A condition that needs what `facts` lack does not, so that without any this is
   * the first move that has no condition.
   */
  next<State extends StateOf<Moves>, Trigger extends TriggerOf<Moves, State>>(
    state: State,
    trigger: Trigger,
    facts?: Partial<Facts>,
  ): Move<StateOf<Moves>, TargetOf<Moves, State, Trigger>> | undefined;

  /** Gives `to`, where a trigger moves it; what cannot be is no type. Throws an ImpossibleMove where the table has no such move. */
  transition<
    State extends StateOf<Moves>,
    Trigger extends TriggerOf<Moves, State>,
    To extends TargetOf<Moves, State, Trigger>,
  >(
    state: State,
    trigger: Trigger,
    to: To,
  ): To;

  /** What clients see of a state; undefined: it is not there. */
  shown(state: StateOf<Moves>): Shown;

  /** How long something stays in a state until time alone moves it; undefined: as long as it likes. */
  lifetimeOf(state: StateOf<Moves>): Lifetime | undefined;
}

/** A machine as data, which its methods look up. */
export interface MachineData {
  readonly name: string;
  readonly resource: string;
  readonly field?: string;
  readonly states: readonly string[];
  readonly hidden: Readonly<Record<string, string>>;
  readonly initial: readonly { readonly trigger: string; readonly when?: Condition; readonly begins: Beginning }[];
  readonly moves: readonly {
    readonly trigger: string;
    readonly from: readonly string[];
    readonly when?: Condition;
    /** How long after the state began, where the trigger is a time. */
    readonly afterSeconds?: number;
    readonly move: Move;
  }[];
}

/** The machine of its data. */
export function machine<Moves, Shown = StateOf<Moves>>(data: MachineData): Machine<Moves, Shown> {
  const { name, resource, field, states, hidden, initial, moves } = frozen(data);
  const leaving = (state: string, trigger: string): MachineData["moves"] =>
    moves.filter((each) => each.trigger === trigger && each.from.includes(state));
  const made = {
    name,
    resource,
    ...(field === undefined ? {} : { field }),
    states,
    hidden,
    initial: (trigger: string, facts?: Partial<Facts>) =>
      firstMet(
        initial.filter((each) => each.trigger === trigger),
        facts,
      )?.begins,
    can: (state: string, trigger: string) => leaving(state, trigger).length > 0,
    next: (state: string, trigger: string, facts?: Partial<Facts>) => firstMet(leaving(state, trigger), facts)?.move,
    transition: (state: string, trigger: string, to: string) => {
      if (leaving(state, trigger).some(({ move }) => move.to === to)) return to;
      throw new ImpossibleMove({ machine: name, state, trigger, to });
    },
    shown: (state: string) => {
      const shown = Object.hasOwn(hidden, state) ? hidden[state] : state;
      return shown === "$gone" ? undefined : shown;
    },
    lifetimeOf: (state: string) => lifetimeIn(moves, state),
  };
  // `Moves` are the types of this very data: one description is printed as both.
  return Object.freeze(made) as unknown as Machine<Moves, Shown>;
}

/** A trigger does not lead from a state to another. */
export class ImpossibleMove extends Error {
  override readonly name = "ImpossibleMove";
  readonly machine: string;
  readonly state: string;
  readonly trigger: string;
  readonly to: string;

  constructor({ machine: of, state, trigger, to }: Record<"machine" | "state" | "trigger" | "to", string>) {
    super(`${of}: ${trigger} does not lead from ${state} to ${to}`);
    this.machine = of;
    this.state = state;
    this.trigger = trigger;
    this.to = to;
  }
}

function firstMet<Each extends { readonly when?: Condition }>(
  ways: readonly Each[],
  facts: Partial<Facts> = {},
): Each | undefined {
  return ways.find(({ when }) => when === undefined || isMet(when, { ...nothing, ...facts }));
}

const nothing: Facts = { caller: undefined, input: {}, body: undefined, target: undefined, refs: nothingFound };

function lifetimeIn(moves: MachineData["moves"], state: string): Lifetime | undefined {
  const lifetimes = moves.flatMap(({ trigger, from, afterSeconds }) =>
    afterSeconds !== undefined && from.includes(state) ? [{ trigger, seconds: afterSeconds }] : [],
  );
  return lifetimes.sort((a, b) => a.seconds - b.seconds)[0];
}

/** Freezes data and all that it holds. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
