import { holds, reasonOf } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { isWithheld, withholding, type Grants } from "./grants.js";
import { isPending } from "./handlers.js";
import { namedIn, type Named } from "./named-in.js";
import { isKnownTo, isSame } from "./owners.js";
import type { NotedReference } from "./plan.js";
import type { Reference } from "./resources.js";
import { keyOf, type Chain } from "./rows.js";

/**
 * Looks up the resources that the path names. The server responds with an error if one does not exist, is in another parent, or is not the
 * caller's.
 */
export async function findInPath(one: Case): Promise<void> {
  const { path, resources } = one.plan;
  const { target } = resources;
  const withheld = withholding(one);
  const grants = isPending(withheld) ? await withheld : withheld;
  for (const reference of path) {
    const id = (one.input["path"] as Groups | undefined)?.[reference.parameter];
    const loaded = one.refs.load(reference.to, reference.by, [id]);
    const row = (isPending(loaded) ? await loaded : loaded).get(id);
    const chained = one.refs.chains(reference.to, row === undefined ? [] : [row]);
    const [chain] = isPending(chained) ? await chained : chained;
    if (row === undefined || chain === undefined || !fits(reference, chain, one)) throw one.missing(reference);
    one.refs.noteParameter(reference.parameter, row);
    one.parameters.set(reference.parameter, chain);
    if (target?.parameter === reference.parameter) one.target = row;
    if (isWithheld(reference, chain, { one, grants })) throw one.missing(reference);
  }
}

/** Looks up the resource of which each caller has one. */
export async function findOwn(one: Case): Promise<void> {
  const { target } = one.plan.resources;
  // The path of a linked operation may have loaded it already.
  if (target === undefined || one.target !== undefined) return;
  one.target = (await one.refs.own(target.resource)) ?? undefined;
  if (one.target === undefined) throw one.shared(404);
}

/** Looks up the resources that the body references, with one query for each kind. Reports one error, with all locations that it concerns. */
export async function findInBody(one: Case): Promise<void> {
  const { named, kinds } = one.plan;
  const { referenceLimit = usualReferenceLimit } = one.around.options;
  const found = named.map(({ pointer }) => namedIn(one.body, pointer, referenceLimit));
  assertFew(found, referenceLimit, one);
  one.named = found;
  for (const { to, by, references } of kinds) {
    const ids: unknown[] = [];
    for (const index of references) for (const { id } of found[index] ?? []) ids.push(id);
    const loaded = ids.length === 0 ? undefined : one.refs.load(to, by, ids);
    if (isPending(loaded)) await loaded;
  }
  // A condition may concern rows of another reference.
  for (const reference of named) one.refs.note(reference);
  const withheld = withholding(one);
  const grants = isPending(withheld) ? await withheld : withheld;
  const absent: Absent[] = [];
  for (let index = 0; index < named.length; index += 1) {
    const here = found[index] ?? [];
    if (here.length === 0) continue;
    const reference = named[index] as NotedReference;
    const rows = here.map(({ id }) => one.refs.loaded(reference, id));
    const chained = one.refs.chains(reference.to, rows);
    const chains = isPending(chained) ? await chained : chained;
    one.chains[index] = chains;
    judgeFound(reference, here, { one, grants, absent, chains });
  }
  const [first] = absent;
  if (first === undefined) return;
  const alike = absent.filter(({ reference }) => reference.missing === first.reference.missing);
  throw one.missing(
    first.reference,
    alike.map(({ place }) => place),
  );
}

const usualReferenceLimit = 5000;

/** Checked before any lookup. */
function assertFew(found: readonly (readonly Named[])[], most: number, one: Case): void {
  const index = found.findIndex(({ length }) => length > most);
  if (index === -1) return;
  const { pointer } = one.plan.named[index] as NotedReference;
  const field = pointer.slice(0, pointer.indexOf("*")).join(".");
  const reason = reasonOf({ code: "items", second: most });
  throw one.refusedFor([{ in: "body", code: "items", reason, ...(field === "" ? {} : { field }) }]);
}

interface Absent {
  readonly reference: Reference;
  readonly place: string;
}

interface Given {
  readonly one: Case;
  readonly grants: Grants | undefined;
  readonly absent: Absent[];
  readonly chains: readonly (Chain | undefined)[];
}

/** Collects the absent resources of one reference. Throws if an existing one does not satisfy the reference's condition. */
function judgeFound(reference: NotedReference, found: readonly Named[], { one, grants, absent, chains }: Given): void {
  const before = absent.length;
  let unfit: string[] | undefined;
  for (let index = 0; index < found.length; index += 1) {
    const { place } = found[index] as Named;
    const chain = chains[index];
    if (chain === undefined || !fits(reference, chain, one) || isWithheld(reference, chain, { one, grants }))
      absent.push({ reference, place });
    else if (reference.where !== undefined && !holds(reference.where, chain[0]?.row)) (unfit ??= []).push(place);
  }
  if (unfit !== undefined && absent.length === before) throw one.refusedAt(reference.unfit, unfit);
}

/** Whether a resource is in the right parent and visible to the caller. */
function fits({ of }: Reference, chain: Chain, one: Case): boolean {
  if (of !== undefined) {
    const [outer] = one.parameters.get(of) ?? [];
    const inner = chain.find(({ resource }) => resource === outer?.resource);
    if (outer === undefined || inner === undefined || !isSame(keyOf(inner.row, "id"), keyOf(outer.row, "id")))
      return false;
  }
  return isKnownTo(one.caller, chain, one.around.shelf);
}
