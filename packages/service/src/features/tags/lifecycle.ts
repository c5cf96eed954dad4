import { jobSubject } from "../../platform/job-subjects.js";
import type { Collection } from "../../store/collection.js";
import type { Rows } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { tagEntity } from "../events/lifecycle.js";

/** Tables of objects that have tags. */
export type Carrier = "instances" | "domains" | "volumes" | "nodebalancers" | "clusters" | "pools";

/** What a transaction has done of the deletion of a tag. */
export type Deletion = "missing" | "begun" | "done";

/** Creates the missing tags of an account. Returns the labels without repetition. */
export async function ensureTags({ tx }: UnitOfWork, account: string, labels: readonly string[]): Promise<string[]> {
  const unique = [...new Set(labels)];
  for (const label of unique)
    if ((await tx.tags.first({ account, label })) === undefined) await tx.tags.add({ account, label });
  return unique;
}

/** A row with other tags. */
export function withTags<Row extends Rows[Carrier]>({ date }: UnitOfWork, row: Row, labels: string[]): Row {
  return { ...row, tags: labels, ...("updated" in row ? { updated: date } : {}) };
}

/**
 * Removes a tag from some of its objects, and deletes it with the last of them: no object has a tag that is not there. Until it is deleted, a job
 * continues after `resumesIn` milliseconds.
 */
export async function deleteTagInPart(
  work: UnitOfWork,
  { id, user, resumesIn }: { readonly id: number; readonly user: string; readonly resumesIn: number },
): Promise<Deletion> {
  const { tx } = work;
  const tag = await tx.tags.get(id);
  if (tag === undefined) return "missing";
  const { account, label } = tag;
  const subject = jobSubject("tag", id);
  await work.cancelJobs(subject);
  if (await takeFromObjects(work, tag)) {
    const due = work.now + resumesIn;
    await work.scheduleJob({ account, kind: "delete-tag", subject, nature: "deadline", due, data: { user } });
    return "begun";
  }
  await tx.tags.remove([id]);
  // tag-deleted-event
  await work.recordEvent({ account, action: "tag_delete", username: user, entity: tagEntity(label) });
  return "done";
}

/** Removes a tag from the first objects that have it. Returns whether others may have it. */
async function takeFromObjects(work: UnitOfWork, tag: Rows["tags"]): Promise<boolean> {
  const { instances, domains, volumes, nodebalancers, clusters, pools } = work.tx;
  let left = atOnce;
  left -= await takeFrom(work, instances, { tag, limit: left });
  left -= await takeFrom(work, domains, { tag, limit: left });
  left -= await takeFrom(work, volumes, { tag, limit: left });
  left -= await takeFrom(work, nodebalancers, { tag, limit: left });
  left -= await takeFrom(work, clusters, { tag, limit: left });
  left -= await takeFrom(work, pools, { tag, limit: left });
  return left === 0;
}

/** Returns the number of changed rows, which do not match again. */
async function takeFrom<Name extends Carrier>(
  work: UnitOfWork,
  collection: Collection<Name>,
  { tag: { account, label }, limit }: { readonly tag: Rows["tags"]; readonly limit: number },
): Promise<number> {
  if (limit === 0) return 0;
  const rows = await collection.find({ account, tags: { contains: label } }, { offset: 0, limit });
  for (const row of rows) {
    const labels = row.tags.filter((each) => each !== label);
    await collection.update(withTags(work, row, labels));
  }
  return rows.length;
}

/** Objects that a transaction changes at most: other writes of the account wait for it. */
const atOnce = 500;
