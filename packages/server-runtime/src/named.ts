import { holds } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { isPending } from "./handlers.js";
import { isKnownTo, keyOf, namedIn, type Link, type Named, type NamedRows, type Reference } from "./resources.js";

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
  }
}

/** What each caller has one of is there. */
export async function findOwn(one: Case): Promise<void> {
  const { target } = one.plan.resources;
  // The address of a linked operation may have led to it already.
  if (target === undefined || one.target !== undefined) return;
  one.target = await one.rows.own(target.resource);
  if (one.target === undefined) throw one.shared(404);
}

/** What the body names is there; one query a kind. One failure is told, of all that it is about. */
export async function findInBody(one: Case): Promise<void> {
  const named = one.plan.resources.body.map((reference) => ({
    reference,
    found: namedIn(one.body, reference.pointer),
  }));
  const kinds = new Map<string, { readonly reference: Reference; readonly ids: unknown[] }>();
  for (const { reference, found } of named) {
    if (found.length === 0) continue;
    const kind = `${reference.to} ${reference.by}`;
    const ids = found.map(({ id }) => id);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { reference, ids });
    else known.ids.push(...ids);
  }
  for (const { reference, ids } of kinds.values()) {
    const loaded = one.rows.load(reference.to, reference.by, ids);
    if (isPending(loaded)) await loaded;
  }
  const absent: Absent[] = [];
  for (const { reference, found } of named) {
    if (found.length === 0) one.rows.note(reference.pointer, noRows);
    else absent.push(...(await absentOf(reference, found, one)));
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

/** What is not there, of what one reference names; throws where what is there is not in the condition that is asked for. */
async function absentOf(
  reference: Reference & { readonly pointer: readonly string[] },
  found: readonly Named[],
  one: Case,
): Promise<readonly Absent[]> {
  const ids = found.map(({ id }) => id);
  const loaded = one.rows.load(reference.to, reference.by, ids);
  const known = isPending(loaded) ? await loaded : loaded;
  const rows = new Map<unknown, unknown>();
  for (const id of ids) if (known.get(id) !== undefined) rows.set(id, known.get(id));
  one.rows.note(reference.pointer, rows);
  const absent: Absent[] = [];
  const unfit: string[] = [];
  for (const { id, place } of found) {
    const row = rows.get(id);
    const chained = row === undefined ? undefined : one.rows.chain(reference.to, row);
    const chain = isPending(chained) ? await chained : chained;
    if (chain === undefined || !fits(reference, chain, one)) absent.push({ reference, place });
    else {
      one.places.set(place, chain);
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
    if (outer === undefined || inner === undefined || keyOf(inner.row, "id") !== keyOf(outer.row, "id")) return false;
  }
  return isKnownTo(one.context.caller, chain, one.around.shelf);
}
