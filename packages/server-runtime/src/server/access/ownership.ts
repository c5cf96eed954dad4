import { isObject, isValid, ownField } from "../../http/index.js";
import type { Caller, EntityId } from "../request/request-context.js";
import type { Ancestor } from "../resources/resource-cache.js";
import type { Resource, ResourceRegistry } from "../resources/resources.js";

/** Whether a caller may see a resource: each owner in its chain of ancestors is the caller, or the resource is public. */
export function isResourceVisibleTo(
  caller: Caller | undefined,
  chain: readonly Ancestor[],
  registry: ResourceRegistry,
): boolean {
  if (chain.length === 0) return false;
  for (let index = 0; index < chain.length; index += 1) {
    const link = chain[index] as Ancestor;
    if (hasOwnOwner(link, chain[index + 1], registry) && !isPublic(link, registry) && !isOwner(caller, link, registry))
      return false;
  }
  return true;
}

/** Whether a caller owns a resource, or the platform does. A public resource may have another owner. */
export function isOwnedByCaller(
  caller: Caller | undefined,
  chain: readonly Ancestor[],
  registry: ResourceRegistry,
): boolean {
  return (
    chain.length > 0 &&
    chain.every((link, index) => !hasOwnOwner(link, chain[index + 1], registry) || isOwner(caller, link, registry))
  );
}

/** Whether the ownership of a resource differs from that of its parent. A child inherits the owner. */
function hasOwnOwner({ resource }: Ancestor, outer: Ancestor | undefined, registry: ResourceRegistry): boolean {
  return outer === undefined || !haveSameOwners(resourceOf(resource, registry), resourceOf(outer.resource, registry));
}

function haveSameOwners(a: Resource, b: Resource): boolean {
  return a.owner.length === b.owner.length && a.owner.every((each) => b.owner.includes(each));
}

function resourceOf(name: string, { resources }: ResourceRegistry): Resource {
  const resource = resources[name];
  if (resource === undefined) throw new TypeError(`Unknown resource ${name}. Generate the package again.`);
  return resource;
}

function isPublic({ resource, row }: Ancestor, registry: ResourceRegistry): boolean {
  const { public: open } = resourceOf(resource, registry);
  return open !== undefined && isValid(open, row);
}

function isOwner(caller: Caller | undefined, { resource, row }: Ancestor, registry: ResourceRegistry): boolean {
  const { owner } = resourceOf(resource, registry);
  if (owner.every((each) => each === "platform")) return true;
  if (caller === undefined) return false;
  const whose = registry.stores[resource]?.owner?.(row);
  if (whose === undefined)
    throw new TypeError(
      `Missing option \`resources.${resource}.owner\`. Provide a function that returns the owner of a row.`,
    );
  return owner.every((each) => each === "platform" || isSameId(whose[each], ownerKey(caller, each)));
}

/** The id by which a caller owns resources: an attribute, or its `id` if it is an object such as an account. */
export function ownerKey(caller: Caller, attribute: string): EntityId | undefined {
  const value = ownField({ ...caller }, attribute);
  const key = isObject(value) ? ownField(value, "id") : value;
  return typeof key === "string" || typeof key === "number" ? key : undefined;
}

/** Null and undefined equal nothing: databases have null for rows without an owner. */
export function isSameId(a: unknown, b: unknown): boolean {
  return a !== undefined && a !== null && a === b;
}
