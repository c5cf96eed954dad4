import { isGiven } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { merged } from "./changes.js";
import { changesField } from "./conditions.js";
import { valuesOf } from "./expressions.js";
import type { UniqueLimit } from "./limits.js";

/** Values of which no two may be alike: those that are sent, and are not what is stored already. */
export async function judgeUnique(one: Case): Promise<void> {
  for (const limit of one.plan.limits.unique ?? []) {
    const { id, by, error } = limit;
    const except = isChanged(limit, one) ? one.target : undefined;
    // What a change does not send stays as it is.
    const whole = except === undefined ? one.body : merged(except, one.body);
    if (!by.every((field) => isGiven(whole, field))) continue;
    if (except !== undefined && !by.some((field) => changesField(field, one))) continue;
    const { taken } = one.around.options.limits ?? {};
    if (taken?.[id] === undefined) throw new TypeError(`limits.taken: there is nothing for ${id}`);
    const values = Object.fromEntries(by.map((field) => [field, (whole as Groups)[field]] as const));
    if (await taken[id](values as never, one.context, except))
      throw one.refusedAt(error, by.filter((field) => isGiven(one.body, field)).slice(0, 1));
  }
}

/** True where the operation changes one of what has to be unique, and makes none. */
function isChanged({ resource }: UniqueLimit, { plan }: Case): boolean {
  const { method } = plan.operation.definition;
  return resource === plan.resources.target?.resource && (method === "PUT" || method === "PATCH");
}

/** How much of it runs already. */
export async function judgeConcurrency(one: Case): Promise<void> {
  for (const { limit, per } of one.plan.limits.concurrency ?? []) {
    const [key] = per === undefined ? [one.context.caller?.user] : valuesOf(per, one.facts());
    const { unsettled } = one.around.options.limits ?? {};
    if (unsettled?.[limit.id] === undefined) throw new TypeError(`limits.unsettled: there is nothing for ${limit.id}`);
    const count = await unsettled[limit.id]?.(key as never, one.context);
    if (count === undefined || count >= limit.max) throw one.refusedAt(limit.error);
  }
}
