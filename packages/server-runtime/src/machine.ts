import { isMet, type Condition } from "./conditions.js";
import { nothingFound, type Facts } from "./facts.js";
import type { Beginning, Lifetime, Move, StateOf, TargetOf, TriggerOf } from "./moves.js";

/** A state machine of a resource. `Moves` are its transitions; `Shown` are the states that clients see. */
export interface Machine<Moves, Shown = StateOf<Moves>> {
  /** Name of the state machine, such as `InstanceStatus`. */
  readonly name: string;
  readonly resource: string;
  /** The field that holds the state. Absent if no field does. */
  readonly field?: string;
  /** Every state, hidden ones last. */
  readonly states: readonly StateOf<Moves>[];
  /** The state that clients see in place of a hidden one. With `$gone` they do not see the object. */
  readonly hidden: Readonly<Record<string, string>>;

  /**
   * The initial state of an object that a trigger creates: the first whose condition holds.
   * A condition that needs data which `facts` does not have is false.
   */
  initial(trigger: string, facts?: Partial<Facts>): Beginning<StateOf<Moves>> | undefined;

  /** Whether a trigger has a transition from a state. Does not evaluate conditions; `next` does. */
  can(state: StateOf<Moves>, trigger: TriggerOf<Moves>): boolean;

  /**
   * The transition of a trigger: the first whose condition holds.
   * A condition that needs data which `facts` does not have is false; without `facts`, this is the first transition without a condition.
   */
  next<State extends StateOf<Moves>, Trigger extends TriggerOf<Moves, State>>(
    state: State,
    trigger: Trigger,
    facts?: Partial<Facts>,
  ): Move<StateOf<Moves>, TargetOf<Moves, State, Trigger>> | undefined;

  /**
   * Returns `to` if the trigger has a transition to it. The types exclude other targets.
   *
   * @throws ImpossibleMove if the table has no such transition
   */
  transition<
    State extends StateOf<Moves>,
    Trigger extends TriggerOf<Moves, State>,
    To extends TargetOf<Moves, State, Trigger>,
  >(
    state: State,
    trigger: Trigger,
    to: To,
  ): To;

  /** The state that clients see. Undefined if they do not see the object. */
  shown(state: StateOf<Moves>): Shown;

  /** How long an object stays in a state until a timed transition. Undefined if none is timed. */
  lifetimeOf(state: StateOf<Moves>): Lifetime | undefined;
}

/** A state machine as data. */
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
    /** Seconds after the start of the state, for a timed trigger. */
    readonly afterSeconds?: number;
    readonly move: Move;
  }[];
}

/** Creates a state machine from its data. */
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
  // The generator prints `Moves` and the data from one description, so they agree.
  return Object.freeze(made) as unknown as Machine<Moves, Shown>;
}

/** The trigger has no transition between these states. */
export class ImpossibleMove extends Error {
  override readonly name = "ImpossibleMove";
  readonly machine: string;
  readonly state: string;
  readonly trigger: string;
  readonly to: string;

  constructor({ machine: of, state, trigger, to }: Record<"machine" | "state" | "trigger" | "to", string>) {
    super(`${of}: no transition from ${state} to ${to} for ${trigger}`);
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

/** Freezes data deeply. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
