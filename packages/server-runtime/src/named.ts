import { holds } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { isPending, type Awaitable } from "./handlers.js";
import type { NotedReference } from "./plan.js";
import { isKnownTo, keyOf, namedIn, type Chain, type Named, type NamedRows, type Reference } from "./resources.js";

/** What the path names is there, where it has to be, and the caller's to know of. */
export async function findInPath(one: Case): Promise<void> {
  const { path, target } = one.plan.resources;
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
  }
}

/** What each caller has one of is there. */
export async function findOwn(one: Case): Promise<void> {
  const { target } = one.plan.resources;
  // The address of a linked operation may have led to it already.
  if (target === undefined || one.target !== undefined) return;
  one.target = await one.refs.own(target.resource);
  if (one.target === undefined) throw one.shared(404);
}

/** What the body names is there; one query a kind. One failure is told, of all that it is about. */
export async function findInBody(one: Case): Promise<void> {
  const { named, kinds } = one.plan;
  const found = named.map(({ pointer }) => namedIn(one.body, pointer));
  for (const { to, by, references } of kinds) {
    const ids: unknown[] = [];
    for (const index of references) for (const { id } of found[index] ?? []) ids.push(id);
    const loaded = ids.length === 0 ? undefined : one.refs.load(to, by, ids);
    if (isPending(loaded)) await loaded;
  }
  const absent: Absent[] = [];
  for (let index = 0; index < named.length; index += 1) {
    const here = found[index] ?? [];
    const reference = named[index] as NotedReference;
    if (here.length === 0) one.refs.note(reference.key, noRows);
    else {
      const judged = judgeNamed(reference, here, { one, absent });
      if (isPending(judged)) await judged;
    }
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

/** Adds what is not there, of what one reference names; throws where what is there is not in the condition that is asked for. */
function judgeNamed(
  reference: NotedReference,
  found: readonly Named[],
  { one, absent }: { readonly one: Case; readonly absent: Absent[] },
): Awaitable<void> {
  const rows = new Map<unknown, unknown>();
  for (const { id } of found) {
    const row = one.refs.loaded(reference, id);
    if (row !== undefined) rows.set(id, row);
  }
  one.refs.note(reference.key, rows);
  const chained = one.refs.chains(reference.to, [...rows.values()]);
  const judge = (chains: readonly (Chain | undefined)[]): void => {
    const ids = [...rows.keys()];
    const places = new Map(ids.map((id, index) => [id, index] as const));
    const all = found.map(({ id }) => chains[places.get(id) ?? -1]);
    judgeFound(reference, found, { one, absent, chains: all });
  };
  return isPending(chained) ? chained.then(judge) : judge(chained);
}

function judgeFound(
  reference: NotedReference,
  found: readonly Named[],
  given: { readonly one: Case; readonly absent: Absent[]; readonly chains: readonly (Chain | undefined)[] },
): void {
  const { one, absent, chains } = given;
  const unfit: string[] = [];
  const before = absent.length;
  for (let index = 0; index < found.length; index += 1) {
    const { place } = found[index] as Named;
    const chain = chains[index];
    if (chain === undefined || !fits(reference, chain, one)) absent.push({ reference, place });
    else {
      one.places.set(place, chain);
      if (reference.where !== undefined && !holds(reference.where, chain[0]?.row)) unfit.push(place);
    }
  }
  if (unfit.length > 0 && absent.length === before) throw one.refusedAt(reference.unfit, unfit);
}

/** It is within what it has to be within, and known to the caller. */
function fits({ of }: Reference, chain: Chain, one: Case): boolean {
  if (of !== undefined) {
    const [outer] = one.parameters.get(of) ?? [];
    const inner = chain.find(({ resource }) => resource === outer?.resource);
    if (outer === undefined || inner === undefined || keyOf(inner.row, "id") !== keyOf(outer.row, "id")) return false;
  }
  return isKnownTo(one.caller, chain, one.around.shelf);
}
