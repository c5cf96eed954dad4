import type { Case, Step } from "@plumbline/conformance-runtime";
import { durationInWords, type StateMachine, type Transition } from "@plumbline/kit/model";
import { createCase, nearestRequirements, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectError } from "../../requests/expect-error.js";
import { findErrorOf } from "../../requests/object-chains.js";
import { planRequest } from "../../requests/request-plan.js";
import { aroundEnd } from "./deadlines.js";

/** Cases of states that responses do not show: an operation that needs one is accepted until its time is over, and rejected afterwards. */
export function unseenDeadlineCases(context: ConformanceContext): readonly Case[] {
  return context.api.stateMachines
    .filter(({ field }) => field === undefined)
    .flatMap((stateMachine) =>
      stateMachine.transitions.flatMap((ending) =>
        stateMachine.transitions.flatMap((move) => deadlineCases(context, { stateMachine, ending, move })),
      ),
    );
}

interface UnseenDeadline {
  readonly stateMachine: StateMachine;
  readonly ending: Transition;
  readonly move: Transition;
}

function deadlineCases(context: ConformanceContext, { stateMachine, ending, move }: UnseenDeadline): readonly Case[] {
  const { event: deadline } = ending;
  const { event, from, error } = move;
  const operation = event.kind === "operation" ? context.operations.get(event.operation) : undefined;
  const failure = operation && findErrorOf(context, operation, error);
  if (deadline.kind !== "after" || operation === undefined || failure === undefined) return [];
  // A valid request is one in the only state that permits it.
  if (from.length !== 1 || !ending.from.includes(from[0] ?? "") || from.includes(ending.to)) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  // A code of a step may depend on the time, too.
  if (plan.setupSteps.some((step) => "code" in step) || deadline.after.seconds < 120) return [];
  const { seconds } = deadline.after;
  const { near, over, beyond, inTime } = aroundEnd(context, seconds, plan.setupSteps);
  const rejected: Step = { ...plan.call, expect: expectError(failure) };
  const about = (id: string, title: string, steps: readonly Step[]): Case =>
    createCase(context, {
      operation,
      kind: "states",
      idParts: ["states", ...from, id, String(seconds)],
      title: `${operation.summary ?? operation.name}: ${title}`,
      requirements: nearestRequirements(ending.sources, stateMachine.sources).concat(requirementIds(failure.sources)),
      requires: plan.requires,
      steps: [...plan.setupSteps, ...steps],
    });
  const words = durationInWords(deadline.after);
  return [
    inTime(about("before", `it is accepted until ${words} are over`, [near, plan.call])),
    about("after", `it is rejected after ${words}`, [near, over, rejected, beyond, rejected]),
  ];
}
