/** The states of a table of transitions. The table has the target for each state and each of its triggers. */
export type StateOf<Moves> = keyof Moves & string;

/** An operation, `OPERATION:FIELD` for a resource that its body references, `platform:NAME`, `after:PT24H` or `at:FIELD`. */
export type TriggerOf<Moves, State extends StateOf<Moves> = StateOf<Moves>> = State extends unknown
  ? keyof Moves[State] & string
  : never;

/** The target state of a trigger. For several states, the targets from any of them. */
export type TargetOf<Moves, State extends StateOf<Moves>, Trigger extends string> = State extends unknown
  ? Trigger extends keyof Moves[State]
    ? Moves[State][Trigger] & string
    : never
  : never;

/** The initial state of an object. */
export interface Beginning<State extends string = string> {
  readonly to: State;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$gone" | "$before")[];
  /** Seconds until the first of them. */
  readonly takesSeconds?: number;
}

export interface Move<State extends string = string, To extends string = string> {
  /** A state, `$gone` for a deleted object, or `$before` for the previous state. */
  readonly to: To;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$gone" | "$before")[];
  /** Seconds until the first of them. */
  readonly takesSeconds?: number;
  /** The id of the error in any other state. */
  readonly else?: string;
  /** The concurrency limit whose last operation ends the state. */
  readonly while?: string;
  /** The rate limit of the transition. */
  readonly limit?: string;
}

/** How long an object stays in a state until a timed transition. */
export interface Lifetime {
  readonly trigger: string;
  readonly seconds: number;
}
