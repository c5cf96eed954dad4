import { page, type EventEntity, type TaggedObject } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { grantsOf, type EntityKind } from "../grants.js";
import type { Collection, Range, Where } from "../store/collection.js";
import type { Rows } from "../store/rows.js";
import { callerOf, type Caller, type Work } from "../work.js";
import { ensureTags } from "./tagging.js";

export const tags: Area<"listTags" | "createTag" | "listTaggedObjects" | "deleteTag"> = {
  listTags: async ({ query, visible }, { work }) => {
    const { items, total } = await work.tx.tags.list({}, { query, visible });
    return { status: 200, body: page(query, items, total) };
  },

  createTag: async ({ body: { label }, refs }, context) => {
    const { work } = context;
    const { tx } = work;
    const caller = callerOf(context);
    const account = caller.account.id;
    await ensureTags(work, account, [label]);
    // tag-instances, tag-domains, tag-volumes, tag-nodebalancers
    for (const row of refs.computes.values()) await addTo(work, tx.instances, { row, label });
    for (const row of refs.domains.values()) await addTo(work, tx.domains, { row, label });
    for (const row of refs.volumes.values()) await addTo(work, tx.volumes, { row, label });
    for (const row of refs.nodebalancers.values()) await addTo(work, tx.nodebalancers, { row, label });
    // tag-created-event
    await work.tell({ account, action: "tag_create", username: caller.user, entity: entityOfTag(label) });
    return { status: 200, body: { label } };
  },

  listTaggedObjects: async ({ query, target }, context) => {
    const lists = await listsOf(context.work, callerOf(context), target);
    const items: TaggedObject[] = [];
    let total = 0;
    // One list after the other, and of each no more than belongs on the page.
    let skipped = (query.page - 1) * query.page_size;
    for (const { count, find } of lists) {
      const many = await count();
      const limit = query.page_size - items.length;
      if (limit > 0 && skipped < many) items.push(...(await find({ offset: skipped, limit })));
      skipped = Math.max(0, skipped - many);
      total += many;
    }
    return { status: 200, body: page(query, items, total) };
  },

  deleteTag: async ({ target: { id, label, account } }, context) => {
    const { work } = context;
    const { tx } = work;
    const where = { account, tags: { has: label } };
    const clusters = (await tx.clusters.find({ account })).map((cluster) => cluster.id);
    await takeFrom(work, tx.instances, { where, label });
    await takeFrom(work, tx.domains, { where, label });
    await takeFrom(work, tx.volumes, { where, label });
    await takeFrom(work, tx.nodebalancers, { where, label });
    await takeFrom(work, tx.clusters, { where, label });
    await takeFrom(work, tx.pools, { where: { cluster: { among: clusters }, tags: { has: label } }, label });
    await tx.tags.remove([id]);
    // tag-deleted-event
    await work.tell({
      account,
      action: "tag_delete",
      username: callerOf(context).user,
      entity: entityOfTag(label),
    });
    return { status: 200, body: {} };
  },
};

/** What carries tags. */
type Carrier = "instances" | "domains" | "volumes" | "nodebalancers" | "clusters" | "pools";

async function addTo<Name extends Carrier>(
  work: Work,
  collection: Collection<Name>,
  { row, label }: { readonly row: Rows[Name]; readonly label: string },
): Promise<void> {
  if (row.tags.includes(label)) return;
  await collection.put(changed(work, row, [...row.tags, label]));
}

/** Takes a tag off some at a time, since many may carry it: those that it was taken off are not found again. */
async function takeFrom<Name extends Carrier>(
  work: Work,
  collection: Collection<Name>,
  { where, label }: { readonly where: Where; readonly label: string },
): Promise<void> {
  for (;;) {
    const rows = await collection.find(where, { offset: 0, limit: atOnce });
    for (const row of rows) {
      const left = row.tags.filter((each) => each !== label);
      await collection.put(changed(work, row, left));
    }
    if (rows.length < atOnce) return;
  }
}

function changed<Row extends Rows[Carrier]>({ date }: Work, row: Row, labels: string[]): Row {
  return { ...row, tags: labels, ...("updated" in row ? { updated: date } : {}) };
}

/** The objects of a kind that carry a tag and are the caller's to see. */
interface List {
  readonly count: () => Promise<number>;
  readonly find: (range: Range) => Promise<readonly TaggedObject[]>;
}

/** A list of each kind, in the order in which they are shown. */
async function listsOf(
  work: Work,
  caller: Caller,
  { label, account }: { readonly label: string; readonly account: string },
): Promise<readonly List[]> {
  const { tx } = work;
  const held = caller.restricted ? await grantsOf(caller, work) : undefined;
  const where = (kind: EntityKind): Where => {
    const readable = held?.[kind].filter(({ permissions }) => permissions !== null);
    const ids = readable === undefined ? {} : { id: { among: readable.map(({ id }) => id) } };
    return { account, tags: { has: label }, ...ids };
  };
  return [
    listOf(tx.instances, where("compute"), (data) => ({ type: "compute", data })),
    listOf(tx.domains, where("domain"), (data) => ({ type: "domain", data })),
    listOf(tx.volumes, where("volume"), (data) => ({ type: "volume", data })),
    listOf(tx.nodebalancers, where("nodebalancer"), (data) => ({ type: "nodebalancer", data })),
  ];
}

function listOf<Name extends Carrier>(
  collection: Collection<Name>,
  where: Where,
  shown: (row: Rows[Name]) => TaggedObject,
): List {
  return {
    count: () => collection.count(where),
    find: async (range) => (await collection.find(where, range)).map(shown),
  };
}

/** A tag as events name it. */
function entityOfTag(label: string): EventEntity {
  return { id: label, label, type: "tag", url: `/v4/tags/${encodeURIComponent(label)}` };
}

/** Rows that are changed at a time. */
const atOnce = 500;
