import { isPresent, type InputGroups } from "../../http/index.js";
import { changesField } from "../conditions/conditions.js";
import { valuesOf } from "../conditions/expressions.js";
import { mergeChange } from "../conditions/mutability.js";
import type { OperationPlan } from "../operation-plan.js";
import type { UniqueLimit } from "../rate-limits/limits.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import type { ResourceRegistry } from "../resources/resources.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import type { StepFactory } from "./step.js";

/** Checks uniqueness limits, for values that the client sent and that differ from the stored ones. */
export const checkUniqueLimits: StepFactory = (plan, { options, registry }, errors) => {
  const { unique = [] } = plan.limits;
  if (unique.length === 0) return undefined;
  return (evaluation) =>
    firstInTurn(unique, (limit) => {
      const { id, by, error } = limit;
      const except = changesResource(limit, plan) ? evaluation.target : undefined;
      // Fields that a change does not have keep their stored values.
      const merged = except === undefined ? evaluation.body : mergeChange(except, evaluation.body);
      if (!by.every((field) => isPresent(merged, field))) return undefined;
      if (except !== undefined && !by.some((field) => changesField(field, evaluation))) return undefined;
      const { isTaken } = options.limits ?? {};
      if (isTaken?.[id] === undefined)
        throw new TypeError(
          `Missing option \`limits.isTaken.${id}\`. Provide a function that returns whether the values exist already.`,
        );
      const values = Object.fromEntries(by.map((field) => [field, (merged as InputGroups)[field]] as const));
      const parent = parentOf(limit, plan, evaluation, registry);
      return andThen(isTaken[id](values as never, evaluation.handlerContext, except, parent as never), (exists) => {
        if (exists) throw errors.at(error, by.filter((field) => isPresent(evaluation.body, field)).slice(0, 1), id);
        return undefined;
      });
    });
};

/** True if the operation changes an existing resource, and creates none. */
function changesResource({ resource }: UniqueLimit, { operation, resources }: OperationPlan): boolean {
  const { method } = operation.definition;
  return resource === resources.target?.resource && (method === "PUT" || method === "PATCH");
}

/** The object within which the values are unique: an ancestor of what the path names, or that itself. */
function parentOf(
  { resource, within }: UniqueLimit,
  { resources: { target } }: OperationPlan,
  { refs }: RequestEvaluation,
  registry: ResourceRegistry,
): unknown {
  const parent = registry.resources[resource]?.parent;
  if (within !== "parent" || parent === undefined || target?.parameter === undefined) return undefined;
  return refs.parameterChain(target.parameter)?.find((each) => each.resource === parent)?.row;
}

/** Checks concurrency limits: how many operations of the caller are in progress. */
export const checkConcurrencyLimits: StepFactory = (plan, { options }, errors) => {
  const { concurrency = [] } = plan.limits;
  if (concurrency.length === 0) return undefined;
  return (evaluation) =>
    firstInTurn(concurrency, ({ limit, per }) => {
      const [key] = per === undefined ? [evaluation.caller?.user] : valuesOf(per, evaluation);
      const { countInProgress } = options.limits ?? {};
      if (countInProgress?.[limit.id] === undefined)
        throw new TypeError(
          `Missing option \`limits.countInProgress.${limit.id}\`. Provide a function that counts what is in progress.`,
        );
      return andThen(countInProgress[limit.id]?.(key as never, evaluation.handlerContext), (count) => {
        if (count === undefined || count >= limit.max) throw errors.at(limit.error, [], limit.id);
        return undefined;
      });
    });
};
