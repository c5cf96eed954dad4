import { isPresent, type InputGroups } from "@plumbline/http-runtime";
import { changesField } from "../conditions/conditions.js";
import { valuesOf } from "../conditions/expressions.js";
import { mergeChange } from "../conditions/mutability.js";
import type { OperationPlan } from "../operation-plan.js";
import type { UniqueLimit } from "../rate-limits/limits.js";
import type { StepFactory } from "./step.js";

/** Checks uniqueness limits, for values that the client sent and that differ from the stored ones. */
export const checkUniqueLimits: StepFactory = (plan, { options }, errors) => {
  const { unique = [] } = plan.limits;
  if (unique.length === 0) return undefined;
  return async (evaluation) => {
    for (const limit of unique) {
      const { id, by, error } = limit;
      const except = changesResource(limit, plan) ? evaluation.target : undefined;
      // Fields that a change does not have keep their stored values.
      const merged = except === undefined ? evaluation.body : mergeChange(except, evaluation.body);
      if (!by.every((field) => isPresent(merged, field))) continue;
      if (except !== undefined && !by.some((field) => changesField(field, evaluation))) continue;
      const { isTaken } = options.limits ?? {};
      if (isTaken?.[id] === undefined)
        throw new TypeError(
          `Missing option \`limits.isTaken.${id}\`. Provide a function that returns whether the values exist already.`,
        );
      const values = Object.fromEntries(by.map((field) => [field, (merged as InputGroups)[field]] as const));
      if (await isTaken[id](values as never, evaluation.handlerContext, except))
        throw errors.at(error, by.filter((field) => isPresent(evaluation.body, field)).slice(0, 1));
    }
  };
};

/** True if the operation changes an existing resource, and creates none. */
function changesResource({ resource }: UniqueLimit, { operation, resources }: OperationPlan): boolean {
  const { method } = operation.definition;
  return resource === resources.target?.resource && (method === "PUT" || method === "PATCH");
}

/** Checks concurrency limits: how many operations of the caller are in progress. */
export const checkConcurrencyLimits: StepFactory = (plan, { options }, errors) => {
  const { concurrency = [] } = plan.limits;
  if (concurrency.length === 0) return undefined;
  return async (evaluation) => {
    for (const { limit, per } of concurrency) {
      const [key] = per === undefined ? [evaluation.caller?.user] : valuesOf(per, evaluation);
      const { countInProgress } = options.limits ?? {};
      if (countInProgress?.[limit.id] === undefined)
        throw new TypeError(
          `Missing option \`limits.countInProgress.${limit.id}\`. Provide a function that counts what is in progress.`,
        );
      const count = await countInProgress[limit.id]?.(key as never, evaluation.handlerContext);
      if (count === undefined || count >= limit.max) throw errors.at(limit.error);
    }
  };
};
