import type { Case, Step } from "@plumbline/conformance-runtime";
import type { ErrorDefinition, Limit, Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { aroundEnd } from "../lifecycle/deadlines.js";

/** Limits of more requests would take too long. */
export const maxTestedRequests = 200;

export interface LimitedOperation {
  readonly operation: Operation;
  readonly limit: Limit;
  readonly failure: ErrorDefinition;
  readonly plan: RequestPlan;
}

export interface LimitCase {
  /** The last segment of the id. */
  readonly about: string;
  readonly title: string;
  /** A step before those of the plan, such as a new user. */
  readonly first?: Step;
  readonly steps: readonly Step[];
  /** True if the case tests a moment before the end of the window. */
  readonly isNearEnd?: true;
}

/** A case of a limit, which runs alone since other requests would count. */
export function limitCase(
  context: ConformanceContext,
  { operation, limit, failure, plan }: LimitedOperation,
  { about, title, first, steps, isNearEnd }: LimitCase,
): Case {
  const created = createCase(context, {
    operation,
    kind: "limits",
    idParts: ["limits", limit.id, about],
    title,
    requirements: requirementIds([...limit.sources, ...failure.sources]),
    requires: plan.requires,
    exclusive: true,
    steps: [...(first === undefined ? [] : [first]), ...plan.setupSteps, ...steps],
  });
  if (isNearEnd === true) return aroundEnd(context, limit.window?.seconds ?? 0).inTime(created);
  return limit.kind === "rate" && limit.window !== undefined
    ? { ...created, windowSeconds: limit.window.seconds }
    : created;
}
