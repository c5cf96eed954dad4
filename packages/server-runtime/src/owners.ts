import { holds } from "@plumbline/validator-runtime";
import type { Caller, Key } from "./call.js";
import type { Resource, Shelf } from "./resources.js";
import type { Link } from "./rows.js";

/** Whether a caller may see a resource: each owner in its chain of ancestors is the caller, or the resource is public. */
export function isKnownTo(caller: Caller | undefined, chain: readonly Link[], shelf: Shelf): boolean {
  if (chain.length === 0) return false;
  for (let index = 0; index < chain.length; index += 1) {
    const link = chain[index] as Link;
    if (isJudged(link, chain[index + 1], shelf) && !isPublic(link, shelf) && !owns(caller, link, shelf)) return false;
  }
  return true;
}

/** Whether a caller owns a resource, or the platform does. A public resource may have another owner. */
export function isOwnTo(caller: Caller | undefined, chain: readonly Link[], shelf: Shelf): boolean {
  return (
    chain.length > 0 &&
    chain.every((link, index) => !isJudged(link, chain[index + 1], shelf) || owns(caller, link, shelf))
  );
}

/** Whether the ownership of a resource differs from that of its parent. A child inherits the owner. */
function isJudged({ resource }: Link, outer: Link | undefined, shelf: Shelf): boolean {
  return outer === undefined || !isAlike(resourceOf(resource, shelf), resourceOf(outer.resource, shelf));
}

function isAlike(a: Resource, b: Resource): boolean {
  return a.owner.length === b.owner.length && a.owner.every((each) => b.owner.includes(each));
}

function resourceOf(name: string, { resources }: Shelf): Resource {
  const resource = resources[name];
  if (resource === undefined) throw new TypeError(`Unknown resource ${name}. Generate the package again.`);
  return resource;
}

function isPublic({ resource, row }: Link, shelf: Shelf): boolean {
  const { public: open } = resourceOf(resource, shelf);
  return open !== undefined && holds(open, row);
}

function owns(caller: Caller | undefined, { resource, row }: Link, shelf: Shelf): boolean {
  const { owner } = resourceOf(resource, shelf);
  if (owner.every((each) => each === "platform")) return true;
  if (caller === undefined) return false;
  const whose = shelf.stores[resource]?.owner?.(row);
  if (whose === undefined)
    throw new TypeError(
      `Missing option \`resources.${resource}.owner\`. Provide a function that returns the owner of a row.`,
    );
  return owner.every((each) => each === "platform" || isSame(whose[each], ownerKey(caller, each)));
}

/** The id by which a caller owns resources. */
export function ownerKey(caller: Caller, kind: "account" | "user" | "client"): Key | undefined {
  return kind === "account" ? caller.account?.id : caller[kind];
}

/** Null and undefined equal nothing: databases have null for rows without an owner. */
export function isSame(a: unknown, b: unknown): boolean {
  return a !== undefined && a !== null && a === b;
}
