import type { Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";

/** What an operation asks of the state of something that is stored, by one machine. */
export interface StateRule {
  /** The machine's name, such as `InstanceStatus`. */
  readonly machine: string;
  readonly resource: string;
  /** The field that holds the state; absent for a sequence that no field shows. */
  readonly field?: string;
  /** What names the object that moves; absent: the one that the path names. */
  readonly on?: Expression;
  /** Of those whose condition holds, one has to begin where the object is. */
  readonly moves: readonly StateMove[];
}

export interface StateMove {
  readonly from: readonly string[];
  readonly when?: Condition;
  /** The failure that is told outside of `from`. */
  readonly else?: string;
}
