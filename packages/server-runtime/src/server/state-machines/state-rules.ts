import { isConditionMet, type Condition } from "../conditions/conditions.js";
import type { EvaluationContext } from "../conditions/evaluation-context.js";
import type { Expression } from "../conditions/expressions.js";

/** The states that an operation requires, by one state machine. */
export interface StateRule {
  /** Name of the state machine, such as `InstanceStatus`. */
  readonly stateMachine: string;
  readonly resource: string;
  /** The field that holds the state. Absent if no field does. */
  readonly field?: string;
  /** The reference to the object. Absent: the object that the path names. */
  readonly subject?: Expression;
  /** Of the transitions whose conditions hold, one has to start from the object's state. */
  readonly transitions: readonly TransitionRule[];
}

export interface TransitionRule {
  readonly from: readonly string[];
  readonly when?: Condition;
  /** The id of the error in any other state. */
  readonly error?: string;
}

/** The transition whose error the server responds with. Undefined if the state allows the operation. */
export function violatedTransition(
  { transitions }: StateRule,
  state: string,
  facts: EvaluationContext,
): TransitionRule | undefined {
  const candidates = transitions.filter(({ when }) => when === undefined || isConditionMet(when, facts));
  return candidates.some(({ from }) => from.includes(state)) ? undefined : candidates[0];
}
