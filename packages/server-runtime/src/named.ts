import { holds } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { isRestricted, isWithheld } from "./grants.js";
import { isPending } from "./handlers.js";
import { namedIn, type Named } from "./named-in.js";
import { isKnownTo, isSame } from "./owners.js";
import type { NotedReference } from "./plan.js";
import type { Reference } from "./resources.js";
import { keyOf, type Link, type NamedRows } from "./rows.js";

/** What the path names is there, where it has to be, and the caller's to know of. */
export async function findInPath(one: Case): Promise<void> {
  const { path, target } = one.plan.resources;
  for (const reference of path) {
    const id = (one.input["path"] as Groups | undefined)?.[reference.parameter];
    const loaded = one.rows.load(reference.to, reference.by, [id]);
    const row = (isPending(loaded) ? await loaded : loaded).get(id);
    const chained = row === undefined ? undefined : one.rows.chain(reference.to, row);
    const chain = isPending(chained) ? await chained : chained;
    if (row === undefined || chain === undefined || !fits(reference, chain, one)) throw one.missing(reference);
    one.rows.noteParameter(reference.parameter, row);
    one.parameters.set(reference.parameter, chain);
    if (target?.parameter === reference.parameter) one.target = row;
    if (isRestricted(one.context.caller) && (await isWithheld(reference, chain, one))) throw one.missing(reference);
  }
}

/** What each caller has one of is there. */
export async function findOwn(one: Case): Promise<void> {
  const { target } = one.plan.resources;
  // The address of a linked operation may have led to it already.
  if (target === undefined || one.target !== undefined) return;
  one.target = (await one.rows.own(target.resource)) ?? undefined;
  if (one.target === undefined) throw one.shared(404);
}

/** What the body names is there; one query a kind. One failure is told, of all that it is about. */
export async function findInBody(one: Case): Promise<void> {
  const { named, kinds } = one.plan;
  const found = named.map(({ pointer }) => namedIn(one.body, pointer));
  for (const { to, by, references } of kinds) {
    const ids: unknown[] = [];
    for (const index of references) for (const { id } of found[index] ?? []) ids.push(id);
    const loaded = ids.length === 0 ? undefined : one.rows.load(to, by, ids);
    if (isPending(loaded)) await loaded;
  }
  for (const [index, reference] of named.entries()) one.rows.note(reference.key, rowsOf(reference, found[index], one));
  const absent: Absent[] = [];
  for (const [index, reference] of named.entries()) {
    const here = found[index] ?? [];
    if (here.length > 0) absent.push(...(await absentOf(reference, here, one)));
  }
  const [first] = absent;
  if (first === undefined) return;
  const alike = absent.filter(({ reference }) => reference.missing === first.reference.missing);
  throw one.missing(
    first.reference,
    alike.map(({ place }) => place),
  );
}

interface Absent {
  readonly reference: Reference;
  readonly place: string;
}

const noRows: NamedRows = new Map();

function rowsOf(reference: NotedReference, found: readonly Named[] = [], { rows }: Case): NamedRows {
  if (found.length === 0) return noRows;
  const there = new Map<unknown, unknown>();
  for (const { id } of found) {
    const row = rows.loaded(reference, id);
    if (row !== undefined) there.set(id, row);
  }
  return there;
}

/** What is not there, of what one reference names; throws where what is there is not in the condition that is asked for. */
async function absentOf(reference: NotedReference, found: readonly Named[], one: Case): Promise<readonly Absent[]> {
  const chains = new Map<unknown, readonly Link[]>();
  one.chains.set(reference.key, chains);
  const absent: Absent[] = [];
  const unfit: string[] = [];
  for (const { id, place } of found) {
    const row = one.rows.loaded(reference, id);
    const chained = row === undefined ? undefined : one.rows.chain(reference.to, row);
    const chain = isPending(chained) ? await chained : chained;
    if (chain === undefined || !fits(reference, chain, one)) absent.push({ reference, place });
    else if (isRestricted(one.context.caller) && (await isWithheld(reference, chain, one)))
      absent.push({ reference, place });
    else {
      chains.set(id, chain);
      if (reference.where !== undefined && !holds(reference.where, row)) unfit.push(place);
    }
  }
  if (unfit.length > 0 && absent.length === 0) throw one.refusedAt(reference.unfit, unfit);
  return absent;
}

/** It is within what it has to be within, and known to the caller. */
function fits({ of }: Reference, chain: readonly Link[], one: Case): boolean {
  if (of !== undefined) {
    const [outer] = one.parameters.get(of) ?? [];
    const inner = chain.find(({ resource }) => resource === outer?.resource);
    if (outer === undefined || inner === undefined || !isSame(keyOf(inner.row, "id"), keyOf(outer.row, "id")))
      return false;
  }
  return isKnownTo(one.context.caller, chain, one.around.shelf);
}
