import type { Identity } from "../http/identity.js";
import { encodePath } from "../http/path.js";
import { readPages } from "../http/read-pages.js";
import type { RequestThrottle } from "../http/request-throttle.js";
import type { TargetServer } from "../http/target.js";
import type { EmbeddedObjects, FrameRead, Json, Suite } from "../suite.js";
import { resolvePointer } from "../values/json-pointer.js";
import { isJsonArray, isJsonObject, toText, type JsonObject } from "../values/json.js";
import { identifyObject, type ObservedObject, type Party, type Snapshot } from "./snapshot.js";

export interface SnapshotReader {
  readonly run: { readonly suite: Suite; readonly target: TargetServer; readonly throttle: RequestThrottle };
  readonly parties: ReadonlyMap<Party, Identity>;
  /** Ids whose children are read beside those of the first objects of each list. */
  readonly focus: ReadonlySet<string>;
  /** Counts a request. */
  readonly onRequest: () => void;
}

/**
 * Reads what is visible.
 *
 * @param earlier A reading to complete: what it has is not read again.
 */
export async function readSnapshot(reader: SnapshotReader, earlier?: Snapshot): Promise<Snapshot> {
  const objects = new Map(earlier?.objects);
  const sources = new Set(earlier?.sources);
  for (const [party, caller] of reader.parties)
    for (const read of reader.run.suite.frame?.reads ?? []) {
      if (!isReadBy(read, party)) continue;
      for (const path of pathsOf(read, party, { objects, focus: reader.focus })) {
        const source = JSON.stringify([party, read.call, path]);
        if (sources.has(source)) continue;
        sources.add(source);
        for (const each of await readObjects({ read, party, caller, path, source }, reader))
          objects.set(identifyObject(each), each);
      }
    }
  return { objects, sources };
}

/** What is read again, by whom. */
export interface Again {
  readonly party: Party;
  readonly isOfKind: (read: FrameRead) => boolean;
  readonly isTarget: (object: ObservedObject) => boolean;
}

/** A reading with some of its objects as they are now. The other ones stay as they were. */
export async function readAgain(
  reader: SnapshotReader,
  before: Snapshot,
  { party, isOfKind, isTarget }: Again,
): Promise<Snapshot> {
  const stale = [...before.objects.values()].filter((each) => each.party === party && isOfKind(each.read));
  const staleSources = new Set(stale.map(({ source }) => source));
  const sources = new Set([...before.sources].filter((source) => !staleSources.has(source)));
  const now = await readSnapshot(reader, { objects: before.objects, sources });
  const fresh = [...now.objects].filter(([, object]) => isTarget(object));
  return { objects: new Map([...before.objects, ...fresh]), sources: before.sources };
}

/** A party reads what only it may see, and a caller what may have values for each; the main user reads everything. */
function isReadBy({ owner }: FrameRead, party: Party): boolean {
  if (party === "main") return true;
  if (party === "another account") return owner !== "platform";
  return party.startsWith("another") ? owner === "user" : owner !== "account";
}

/** How many objects of a list are read with what belongs to them: two of the caller, one of others. */
function sampleSize(party: Party): number {
  return party === "main" ? 2 : 1;
}

/** The paths of a read: those of the first objects of each list, and of the objects in focus. */
function pathsOf(
  { path }: FrameRead,
  party: Party,
  { objects, focus }: { readonly objects: ReadonlyMap<string, ObservedObject>; readonly focus: ReadonlySet<string> },
): readonly Readonly<Record<string, string>>[] {
  let paths: readonly { readonly values: Readonly<Record<string, string>>; readonly within: readonly string[] }[] = [
    { values: {}, within: [] },
  ];
  for (const [name, { resource, by }] of Object.entries(path)) {
    const candidates = [...objects.values()].filter((each) => each.kind === resource && each.party === party);
    paths = paths.flatMap((outer) => {
      const inner = candidates.filter(({ within }) => outer.within.every((id, index) => within[index] === id));
      const ids = [...new Set(inner.map(({ id, value }) => toText(resolvePointer(value, `/${by}`) ?? id)))];
      return ids
        .filter((id, index) => index < sampleSize(party) || focus.has(id))
        .map((id) => ({ values: { ...outer.values, [name]: id }, within: [...outer.within, id] }));
    });
  }
  return paths.map(({ values }) => values);
}

interface Reading {
  readonly read: FrameRead;
  readonly party: Party;
  readonly caller: Identity;
  readonly path: Readonly<Record<string, string>>;
  readonly source: string;
}

/** The objects that a request shows. None if it has no success. */
async function readObjects(reading: Reading, reader: SnapshotReader): Promise<readonly ObservedObject[]> {
  const { read, party, path, source } = reading;
  const { run, onRequest } = reader;
  const info = run.suite.operations[read.call];
  const pages = await readPages(
    { operation: read.call, caller: reading.caller, path, query: read.query },
    { ...run, onRequest },
  );
  if (info === undefined || pages === undefined) return [];
  const within = Object.values(path);
  const common = { read, party, source, address: encodePath(info, path) };
  const objects = pages.flatMap((body): readonly ObservedObject[] => {
    if (read.list === undefined) {
      const isOwn = read.resource !== undefined && Object.values(read.path).at(-1)?.resource === read.resource;
      const place = isOwn ? { id: within.at(-1) ?? "", within: within.slice(0, -1) } : { id: "", within };
      return [{ ...common, kind: read.resource ?? read.call, ...place, value: body }];
    }
    const { items, by } = read.list;
    // A body that is not JSON is a text, and shows no objects.
    const values = items
      .flatMap((pointer) => resolvePointer(body, pointer) ?? [])
      .filter((each) => typeof body !== "string" && each !== null);
    return values.map((value) => ({
      ...common,
      kind: read.resource ?? read.call,
      id: toText(resolvePointer(value, `/${by}`) ?? value),
      within,
      value,
    }));
  });
  return objects.flatMap((each) => separateEmbedded(each, read.embedded ?? []));
}

/** Objects within an object are compared by themselves. */
function separateEmbedded(object: ObservedObject, embedded: readonly EmbeddedObjects[]): readonly ObservedObject[] {
  const { value } = object;
  if (embedded.length === 0 || !isJsonObject(value)) return [object];
  const inner = embedded.flatMap(({ field, resource, by }) =>
    arrayIn(value, field).map((each): ObservedObject => ({
      ...object,
      kind: resource,
      id: toText(resolvePointer(each, `/${by}`) ?? each),
      within: [...object.within, object.id],
      value: each,
    })),
  );
  const fields = new Set(embedded.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
  return [{ ...object, value: rest }, ...inner];
}

function arrayIn(value: JsonObject, field: string): readonly Json[] {
  const items = value[field];
  return isJsonArray(items) ? items : [];
}
