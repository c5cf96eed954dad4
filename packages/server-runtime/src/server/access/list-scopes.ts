import type { Awaitable } from "../handlers.js";
import { andThen } from "../request/in-turn.js";
import type { Caller, EntityId } from "../request/request-context.js";
import type { ListScope, Resource } from "../resources/resources.js";
import { entitiesOf, type Grants } from "./grants.js";
import { ownerKey } from "./ownership.js";

/** The part of a list that the caller may see. */
export function listScopeOf(
  { owner, public: open, grants: list }: Resource,
  caller: Caller | undefined,
  /** Undefined if the caller needs no grants. */
  loadGrants: (() => Awaitable<Grants>) | undefined,
): Awaitable<ListScope> {
  const kinds = owner.filter((each) => each !== "platform");
  const includePublic = open !== undefined || kinds.length === 0;
  if (caller === undefined || kinds.length === 0) return { includePublic };
  const whose = Object.fromEntries(kinds.map((kind) => [kind, ownerKey(caller, kind)])) as Record<string, EntityId>;
  // A caller without such an id owns nothing. In a query, undefined would match every owner.
  if (Object.values(whose).some((each) => each === undefined)) return { owner: whose, ids: [], includePublic };
  if (loadGrants === undefined || list === undefined) return { owner: whose, includePublic };
  return andThen(loadGrants(), (grants) => {
    const granted = entitiesOf(grants, list).filter(({ permissions }) => (permissions ?? null) !== null);
    return { owner: whose, ids: granted.map(({ id }) => id), includePublic };
  });
}
