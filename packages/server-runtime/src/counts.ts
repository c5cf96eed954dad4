import { isGiven } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { merged } from "./changes.js";
import { changesField } from "./conditions.js";
import { valuesOf } from "./expressions.js";
import type { UniqueLimit } from "./limits.js";

/** Checks uniqueness limits, for values that the client sent and that differ from the stored ones. */
export async function judgeUnique(one: Case): Promise<void> {
  for (const limit of one.plan.limits.unique ?? []) {
    const { id, by, error } = limit;
    const except = isChanged(limit, one) ? one.target : undefined;
    // Fields that a change does not have keep their stored values.
    const whole = except === undefined ? one.body : merged(except, one.body);
    if (!by.every((field) => isGiven(whole, field))) continue;
    if (except !== undefined && !by.some((field) => changesField(field, one))) continue;
    const { taken } = one.around.options.limits ?? {};
    if (taken?.[id] === undefined)
      throw new TypeError(
        `Missing option \`limits.taken.${id}\`. Provide a function that returns whether the values exist already.`,
      );
    const values = Object.fromEntries(by.map((field) => [field, (whole as Groups)[field]] as const));
    if (await taken[id](values as never, one.context, except))
      throw one.refusedAt(error, by.filter((field) => isGiven(one.body, field)).slice(0, 1));
  }
}

/** True if the operation changes an existing resource, and creates none. */
function isChanged({ resource }: UniqueLimit, { plan }: Case): boolean {
  const { method } = plan.operation.definition;
  return resource === plan.resources.target?.resource && (method === "PUT" || method === "PATCH");
}

/** Checks concurrency limits: how many operations of the caller are in progress. */
export async function judgeConcurrency(one: Case): Promise<void> {
  for (const { limit, per } of one.plan.limits.concurrency ?? []) {
    const [key] = per === undefined ? [one.caller?.user] : valuesOf(per, one);
    const { unsettled } = one.around.options.limits ?? {};
    if (unsettled?.[limit.id] === undefined)
      throw new TypeError(
        `Missing option \`limits.unsettled.${limit.id}\`. Provide a function that counts what is in progress.`,
      );
    const count = await unsettled[limit.id]?.(key as never, one.context);
    if (count === undefined || count >= limit.max) throw one.refusedAt(limit.error);
  }
}
