import { holds } from "@plumbline/validator-runtime";
import type { Caller, Key } from "./call.js";
import type { Resource, Shelf } from "./resources.js";
import type { Link } from "./rows.js";

/** Whether a caller may know of the first of a chain: what it lies in is its own, or everybody's to read. */
export function isKnownTo(caller: Caller | undefined, chain: readonly Link[], shelf: Shelf): boolean {
  if (chain.length === 0) return false;
  for (let index = 0; index < chain.length; index += 1) {
    const link = chain[index] as Link;
    if (isJudged(link, chain[index + 1], shelf) && !isPublic(link, shelf) && !owns(caller, link, shelf)) return false;
  }
  return true;
}

/** Whether the first of a chain is a caller's own, or the platform's. What is everybody's to read is not everybody's to change. */
export function isOwnTo(caller: Caller | undefined, chain: readonly Link[], shelf: Shelf): boolean {
  return (
    chain.length > 0 &&
    chain.every((link, index) => !isJudged(link, chain[index + 1], shelf) || owns(caller, link, shelf))
  );
}

/** The last of a chain says whose all of it is, but for what has an owner of its own. */
function isJudged({ resource }: Link, outer: Link | undefined, shelf: Shelf): boolean {
  return outer === undefined || !isAlike(resourceOf(resource, shelf), resourceOf(outer.resource, shelf));
}

function isAlike(a: Resource, b: Resource): boolean {
  return a.owner.length === b.owner.length && a.owner.every((each) => b.owner.includes(each));
}

function resourceOf(name: string, { resources }: Shelf): Resource {
  const resource = resources[name];
  if (resource === undefined) throw new TypeError(`nothing is said of whose ${name} is`);
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
  if (whose === undefined) throw new TypeError(`resources: there is no owner for ${resource}`);
  return owner.every((each) => each === "platform" || isSame(whose[each], ownerKey(caller, each)));
}

/** What a caller is as an owner. */
export function ownerKey(caller: Caller, kind: "account" | "user" | "client"): Key | undefined {
  return kind === "account" ? caller.account?.id : caller[kind];
}

/** Nobody is the same as nobody: databases have null where there is no owner. */
export function isSame(a: unknown, b: unknown): boolean {
  return a !== undefined && a !== null && a === b;
}
