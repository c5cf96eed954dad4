/** The states of a table of transitions. The table has the target for each state and each of its triggers. */
export type StateOf<Transitions> = keyof Transitions & string;

/** An operation, `OPERATION:FIELD` for a resource that its body references, `platform:NAME`, `after:PT24H` or `at:FIELD`. */
export type TriggerOf<Transitions, State extends StateOf<Transitions> = StateOf<Transitions>> = State extends unknown
  ? keyof Transitions[State] & string
  : never;

/** The target state of a trigger. For several states, the targets from any of them. */
export type TransitionTarget<
  Transitions,
  State extends StateOf<Transitions>,
  Trigger extends string,
> = State extends unknown
  ? Trigger extends keyof Transitions[State]
    ? Transitions[State][Trigger] & string
    : never
  : never;

/** The initial state of an object. */
export interface InitialState<State extends string = string> {
  readonly to: State;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$deleted" | "$previous")[];
  /** Seconds until the first of them. */
  readonly durationSeconds?: number;
}

export interface Transition<State extends string = string, To extends string = string> {
  /** A state, `$deleted` for a deleted object, or `$previous` for the previous state. */
  readonly to: To;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$deleted" | "$previous")[];
  /** Seconds until the first of them. */
  readonly durationSeconds?: number;
  /** The id of the error in any other state. */
  readonly error?: string;
  /** The concurrency limit whose last operation ends the state. */
  readonly while?: string;
  /** The rate limit of the transition. */
  readonly limit?: string;
}

/** How long an object stays in a state until a timed transition. */
export interface StateTimeout {
  readonly trigger: string;
  readonly seconds: number;
}
