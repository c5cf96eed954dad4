import { errors, page, type TaggedObject } from "@cloud-compute/server";
import { callerOf, type Caller } from "../../access/caller.js";
import { grantsOf, type EntityKind } from "../../access/grants.js";
import type { TagHandlers } from "../../context.js";
import type { Collection, Slice } from "../../store/collection.js";
import type { Where } from "../../store/filters/where.js";
import type { Rows } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { tagEntity } from "../events/lifecycle.js";
import { deleteTagInPart, ensureTags, withTags, type Carrier, type Deletion } from "./lifecycle.js";

export const tagHandlers: TagHandlers<"listTags" | "createTag" | "listTaggedObjects" | "deleteTag"> = {
  listTags: async ({ query, listScope }, { work }) => {
    const { items, total } = await work.tx.tags.list({}, { query, listScope });
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
    await work.recordEvent({ account, action: "tag_create", username: caller.user, entity: tagEntity(label) });
    return { status: 200, body: { label } };
  },

  listTaggedObjects: async ({ query, target }, context) => {
    const lists = await listsOf(context.work, callerOf(context), target);
    const items: TaggedObject[] = [];
    let total = 0;
    // One list after the other, and of each only the items of the page.
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

  deleteTag: async ({ target: { id, account } }, context) => {
    const { user } = callerOf(context);
    // Transactions of their own, so that other writes of the account get turns between them.
    const next = (): Promise<Deletion> =>
      context.work.elsewhere(account, (work) => deleteTagInPart(work, { id, user, resumesIn: resumesAfterMs }));
    let deletion = await next();
    if (deletion === "missing") throw errors.notFound();
    while (deletion === "begun") deletion = await next();
    return { status: 200, body: {} };
  },
};

async function addTo<Name extends Carrier>(
  work: UnitOfWork,
  collection: Collection<Name>,
  { row, label }: { readonly row: Rows[Name]; readonly label: string },
): Promise<void> {
  if (row.tags.includes(label)) return;
  await collection.update(withTags(work, row, [...row.tags, label]));
}

/** The objects of a kind that have a tag and that the caller may see. */
interface List {
  readonly count: () => Promise<number>;
  readonly find: (range: Slice) => Promise<readonly TaggedObject[]>;
}

/** A list of each kind, in the order of responses. */
async function listsOf(
  work: UnitOfWork,
  caller: Caller,
  { label, account }: { readonly label: string; readonly account: string },
): Promise<readonly List[]> {
  const { tx } = work;
  const grants = caller.restricted ? await grantsOf(caller, work) : undefined;
  const where = (kind: EntityKind): Where => {
    const readable = grants?.[kind].filter(({ permissions }) => permissions !== null);
    const ids = readable === undefined ? {} : { id: { in: readable.map(({ id }) => id) } };
    return { account, tags: { contains: label }, ...ids };
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
  toObject: (row: Rows[Name]) => TaggedObject,
): List {
  return {
    count: () => collection.count(where),
    find: async (range) => (await collection.find(where, range)).map(toObject),
  };
}

/** Milliseconds. If this process ends, a job continues the deletion. */
const resumesAfterMs = 60_000;
