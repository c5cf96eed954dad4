import { isMet, type Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import type { Facts } from "./facts.js";

/** The states that an operation requires, by one state machine. */
export interface StateRule {
  /** Name of the state machine, such as `InstanceStatus`. */
  readonly machine: string;
  readonly resource: string;
  /** The field that holds the state. Absent if no field does. */
  readonly field?: string;
  /** The reference to the object. Absent: the object that the path names. */
  readonly on?: Expression;
  /** Of the transitions whose conditions hold, one has to start from the object's state. */
  readonly moves: readonly StateMove[];
}

export interface StateMove {
  readonly from: readonly string[];
  readonly when?: Condition;
  /** The id of the error in any other state. */
  readonly else?: string;
}

/** The transition whose error the server responds with. Undefined if the state allows the operation. */
export function refusedBy({ moves }: StateRule, state: string, facts: Facts): StateMove | undefined {
  const met = moves.filter(({ when }) => when === undefined || isMet(when, facts));
  return met.some(({ from }) => from.includes(state)) ? undefined : met[0];
}
