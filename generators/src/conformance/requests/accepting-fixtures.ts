import type { Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { findStatePath, settledState, stateOfFixture, transitionSubject } from "./state-paths.js";

/**
 * The fixture of an object that an operation accepts: `Book@in-repair` if it accepts only some states, and a new book is in none of them.
 *
 * @param field The body field that refers to the object. Absent: the path does.
 */
export function acceptingFixture(
  context: ConformanceContext,
  operation: Operation,
  { resource, field }: { readonly resource: string; readonly field?: string },
): string {
  const { fixtures } = context.settings;
  for (const stateMachine of context.api.stateMachines) {
    if (stateMachine.resource !== resource || stateMachine.field === undefined) continue;
    const moves = stateMachine.transitions.filter((transition) => {
      const subject = transitionSubject(operation, resource, transition);
      const isHere =
        field === undefined ? subject?.kind === "path" : subject?.kind === "body" && subject.field === field;
      return transition.event.kind === "operation" && transition.event.operation === operation.name && isHere;
    });
    const [start] = stateMachine.initial;
    const isStated = fixtures[resource] !== undefined;
    const startState = isStated ? stateOfFixture(context, stateMachine) : start && settledState(start);
    const from = moves.flatMap((each) => each.from);
    if (from.length === 0 || startState === undefined || from.includes(startState)) continue;
    const state = from.find(
      (each) =>
        fixtures[`${resource}@${each}`] !== undefined || findStatePath(context, stateMachine, each) !== undefined,
    );
    if (state !== undefined) return `${resource}@${state}`;
  }
  return resource;
}
