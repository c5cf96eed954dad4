import { isPresent, type InputGroups } from "@plumbline/http-runtime";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import { mergeChange } from "../conditions/mutability.js";
import { changesField } from "../conditions/conditions.js";
import { valuesOf } from "../conditions/expressions.js";
import type { UniqueLimit } from "../rate-limits/limits.js";

/** Checks uniqueness limits, for values that the client sent and that differ from the stored ones. */
export async function checkUniqueLimits(evaluation: RequestEvaluation): Promise<void> {
  for (const limit of evaluation.plan.limits.unique ?? []) {
    const { id, by, error } = limit;
    const except = changesResource(limit, evaluation) ? evaluation.target : undefined;
    // Fields that a change does not have keep their stored values.
    const merged = except === undefined ? evaluation.body : mergeChange(except, evaluation.body);
    if (!by.every((field) => isPresent(merged, field))) continue;
    if (except !== undefined && !by.some((field) => changesField(field, evaluation))) continue;
    const { isTaken } = evaluation.server.options.limits ?? {};
    if (isTaken?.[id] === undefined)
      throw new TypeError(
        `Missing option \`limits.isTaken.${id}\`. Provide a function that returns whether the values exist already.`,
      );
    const values = Object.fromEntries(by.map((field) => [field, (merged as InputGroups)[field]] as const));
    if (await isTaken[id](values as never, evaluation.context, except))
      throw evaluation.errorAt(error, by.filter((field) => isPresent(evaluation.body, field)).slice(0, 1));
  }
}

/** True if the operation changes an existing resource, and creates none. */
function changesResource({ resource }: UniqueLimit, { plan }: RequestEvaluation): boolean {
  const { method } = plan.operation.definition;
  return resource === plan.resources.target?.resource && (method === "PUT" || method === "PATCH");
}

/** Checks concurrency limits: how many operations of the caller are in progress. */
export async function checkConcurrencyLimits(evaluation: RequestEvaluation): Promise<void> {
  for (const { limit, per } of evaluation.plan.limits.concurrency ?? []) {
    const [key] = per === undefined ? [evaluation.caller?.user] : valuesOf(per, evaluation);
    const { countInProgress } = evaluation.server.options.limits ?? {};
    if (countInProgress?.[limit.id] === undefined)
      throw new TypeError(
        `Missing option \`limits.countInProgress.${limit.id}\`. Provide a function that counts what is in progress.`,
      );
    const count = await countInProgress[limit.id]?.(key as never, evaluation.context);
    if (count === undefined || count >= limit.max) throw evaluation.errorAt(limit.error);
  }
}
