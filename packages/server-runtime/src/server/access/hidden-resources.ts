import { isConditionMet, type Condition } from "../conditions/conditions.js";
import type { EvaluationContext } from "../conditions/evaluation-context.js";
import type { Ancestor } from "../resources/resource-cache.js";
import type { Resource } from "../resources/resources.js";
import { levelFor, type Grants, type ReferenceGrants } from "./grants.js";

/**
 * Whether a caller needs a grant on a referenced resource and has none. The server then responds as if the resource did not exist,
 * before any other error could reveal that it does.
 */
export function isHidden(
  { isOfPath, grants: about }: ReferenceGrants,
  chain: readonly Ancestor[],
  { facts, grants, resources }: HidingGrants,
): boolean {
  if (grants === undefined || about.length === 0) return false;
  return about.some(({ when }) => {
    // The body is not validated yet when the path is looked up, so its values cannot be used.
    if (isOfPath && when !== undefined && needsBody(when)) return false;
    return (when === undefined || isConditionMet(when, facts)) && levelFor(chain, grants, resources) === null;
  });
}

export interface HidingGrants {
  readonly facts: EvaluationContext;
  /** Undefined if nothing can be hidden from the caller. */
  readonly grants: Grants | undefined;
  readonly resources: Readonly<Record<string, Resource>>;
}

function needsBody({ body, refs, changes, compare }: Condition): boolean {
  return [body, refs, changes, compare].some((each) => each !== undefined);
}
