/** The states of a table of moves, which has, for each state and each trigger that moves it, where it goes. */
export type StateOf<Moves> = keyof Moves & string;

/** An operation, `OPERATION:FIELD` for what a field of its body names, `platform:NAME`, `after:PT24H` or `at:FIELD`. */
export type TriggerOf<Moves, State extends StateOf<Moves> = StateOf<Moves>> = State extends unknown
  ? keyof Moves[State] & string
  : never;

/** Where a trigger leads; of several states, from any of them. */
export type TargetOf<Moves, State extends StateOf<Moves>, Trigger extends string> = State extends unknown
  ? Trigger extends keyof Moves[State]
    ? Moves[State][Trigger] & string
    : never
  : never;

/** How something begins. */
export interface Beginning<State extends string = string> {
  readonly to: State;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$gone" | "$before")[];
  /** How long until the first of them. */
  readonly takesSeconds?: number;
}

export interface Move<State extends string = string, To extends string = string> {
  /** A state; `$gone`, which is none any more; or `$before`, the state before. */
  readonly to: To;
  /** The states that follow without another trigger. */
  readonly then: readonly (State | "$gone" | "$before")[];
  /** How long until the first of them. */
  readonly takesSeconds?: number;
  /** The failure of who asks for it elsewhere. */
  readonly else?: string;
  /** The concurrency limit whose last one ends it. */
  readonly while?: string;
  /** The rate limit within which it happens. */
  readonly limit?: string;
}

/** Time alone moves what is in a state for so long. */
export interface Lifetime {
  readonly trigger: string;
  readonly seconds: number;
}
