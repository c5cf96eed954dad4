import type { Caller } from "../request/request-context.js";
import { rowField, type AncestorChain, type ResourceCache } from "../resources/resource-cache.js";
import type { Reference, ResourceRegistry } from "../resources/resources.js";
import { isResourceVisibleTo, isSameId } from "./ownership.js";

/** Whether a referenced resource is in the right parent and visible to the caller. */
export function isInScope({ of }: Reference, chain: AncestorChain, { caller, refs, registry }: ScopeContext): boolean {
  if (of !== undefined) {
    const [outer] = refs.parameterChain(of) ?? [];
    const inner = chain.find(({ resource }) => resource === outer?.resource);
    if (outer === undefined || inner === undefined) return false;
    const key = registry.resources[outer.resource]?.key ?? "id";
    if (!isSameId(rowField(inner.row, key), rowField(outer.row, key))) return false;
  }
  return isResourceVisibleTo(caller, chain, registry);
}

interface ScopeContext {
  readonly caller: Caller | undefined;
  readonly refs: ResourceCache;
  readonly registry: ResourceRegistry;
}
