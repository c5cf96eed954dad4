import { isMet, type Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import type { Facts } from "./facts.js";

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

/** The move that an operation would make of an object that is not where it begins, which says how that fails; undefined where nothing is refused. */
export function refusedBy({ moves }: StateRule, state: string, facts: Facts): StateMove | undefined {
  const met = moves.filter(({ when }) => when === undefined || isMet(when, facts));
  return met.some(({ from }) => from.includes(state)) ? undefined : met[0];
}
