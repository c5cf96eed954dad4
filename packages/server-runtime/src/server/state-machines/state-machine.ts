import { isConditionMet, type Condition } from "../conditions/conditions.js";
import { noRows, type EvaluationContext } from "../conditions/evaluation-context.js";
import type { InitialState, StateTimeout, Transition, StateOf, TransitionTarget, TriggerOf } from "./transitions.js";

/** A state machine of a resource. `Transitions` are its transitions; `ClientState` are the states that clients see. */
export interface StateMachine<Transitions, ClientState = StateOf<Transitions>> {
  /** Name of the state machine, such as `InstanceStatus`. */
  readonly name: string;
  readonly resource: string;
  /** The field that holds the state. Absent if no field does. */
  readonly field?: string;
  /** Every state, hidden ones last. */
  readonly states: readonly StateOf<Transitions>[];
  /** The state that clients see in place of a hidden one. With `$deleted` they do not see the object. */
  readonly hidden: Readonly<Record<string, string>>;

  /**
   * The initial state of an object that a trigger creates: the first whose condition holds.
   * A condition that needs data which `facts` does not have is false.
   */
  initial(trigger: string, facts?: Partial<EvaluationContext>): InitialState<StateOf<Transitions>> | undefined;

  /** Whether a trigger has a transition from a state. Does not evaluate conditions; `next` does. */
  can(state: StateOf<Transitions>, trigger: TriggerOf<Transitions>): boolean;

  /**
   * The transition of a trigger: the first whose condition holds.
   * A condition that needs data which `facts` does not have is false; without `facts`, this is the first transition without a condition.
   */
  next<State extends StateOf<Transitions>, Trigger extends TriggerOf<Transitions, State>>(
    state: State,
    trigger: Trigger,
    facts?: Partial<EvaluationContext>,
  ): Transition<StateOf<Transitions>, TransitionTarget<Transitions, State, Trigger>> | undefined;

  /**
   * Returns `to` if the trigger has a transition to it. The types exclude other targets.
   *
   * @throws InvalidTransitionError if the table has no such transition
   */
  transition<
    State extends StateOf<Transitions>,
    Trigger extends TriggerOf<Transitions, State>,
    To extends TransitionTarget<Transitions, State, Trigger>,
  >(
    state: State,
    trigger: Trigger,
    to: To,
  ): To;

  /** The state that clients see. Undefined if they do not see the object. */
  clientState(state: StateOf<Transitions>): ClientState;

  /** How long an object stays in a state until a timed transition. Undefined if none is timed. */
  timeoutOf(state: StateOf<Transitions>): StateTimeout | undefined;
}

/** A state machine as data. */
export interface StateMachineData {
  readonly name: string;
  readonly resource: string;
  readonly field?: string;
  readonly states: readonly string[];
  readonly hidden: Readonly<Record<string, string>>;
  readonly initial: readonly {
    readonly trigger: string;
    readonly when?: Condition;
    readonly initialState: InitialState;
  }[];
  readonly transitions: readonly {
    readonly trigger: string;
    readonly from: readonly string[];
    readonly when?: Condition;
    /** Seconds after the start of the state, for a timed trigger. */
    readonly afterSeconds?: number;
    readonly transition: Transition;
  }[];
}

/** Creates a state machine from its data. */
export function createStateMachine<Transitions, ClientState = StateOf<Transitions>>(
  data: StateMachineData,
): StateMachine<Transitions, ClientState> {
  const { name, resource, field, states, hidden, initial, transitions } = deepFreeze(data);
  const leaving = (state: string, trigger: string): StateMachineData["transitions"] =>
    transitions.filter((each) => each.trigger === trigger && each.from.includes(state));
  const stateMachine = {
    name,
    resource,
    ...(field === undefined ? {} : { field }),
    states,
    hidden,
    initial: (trigger: string, facts?: Partial<EvaluationContext>) =>
      firstMatching(
        initial.filter((each) => each.trigger === trigger),
        facts,
      )?.initialState,
    can: (state: string, trigger: string) => leaving(state, trigger).length > 0,
    next: (state: string, trigger: string, facts?: Partial<EvaluationContext>) =>
      firstMatching(leaving(state, trigger), facts)?.transition,
    transition: (state: string, trigger: string, to: string) => {
      if (leaving(state, trigger).some(({ transition }) => transition.to === to)) return to;
      throw new InvalidTransitionError({ stateMachine: name, state, trigger, to });
    },
    clientState: (state: string) => {
      const visible = Object.hasOwn(hidden, state) ? hidden[state] : state;
      return visible === "$deleted" ? undefined : visible;
    },
    timeoutOf: (state: string) => timeoutIn(transitions, state),
  };
  // The generator prints `Transitions` and the data from one description, so they agree.
  return Object.freeze(stateMachine) as unknown as StateMachine<Transitions, ClientState>;
}

/** The trigger has no transition between these states. */
export class InvalidTransitionError extends Error {
  override readonly name = "InvalidTransitionError";
  readonly stateMachine: string;
  readonly state: string;
  readonly trigger: string;
  readonly to: string;

  constructor({ stateMachine, state, trigger, to }: Record<"stateMachine" | "state" | "trigger" | "to", string>) {
    super(`${stateMachine}: no transition from ${state} to ${to} for ${trigger}`);
    this.stateMachine = stateMachine;
    this.state = state;
    this.trigger = trigger;
    this.to = to;
  }
}

function firstMatching<Each extends { readonly when?: Condition }>(
  candidates: readonly Each[],
  facts: Partial<EvaluationContext> = {},
): Each | undefined {
  return candidates.find(({ when }) => when === undefined || isConditionMet(when, { ...emptyContext, ...facts }));
}

const emptyContext: EvaluationContext = {
  caller: undefined,
  input: {},
  body: undefined,
  target: undefined,
  refs: noRows,
};

function timeoutIn(transitions: StateMachineData["transitions"], state: string): StateTimeout | undefined {
  const timeouts = transitions.flatMap(({ trigger, from, afterSeconds }) =>
    afterSeconds !== undefined && from.includes(state) ? [{ trigger, seconds: afterSeconds }] : [],
  );
  return timeouts.sort((a, b) => a.seconds - b.seconds)[0];
}

/** Freezes data deeply. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
