import { limits } from "@cloud-compute/server";
import type { Collection } from "../store/collection.js";
import type { Where } from "../store/filters/where.js";
import type { JobRow } from "../store/rows.js";
import type { TableName } from "../store/tables.js";
import { formatDate } from "../store/transaction.js";
import { jobSubject } from "./job-subjects.js";
import type { JobHandlers } from "./jobs.js";

export const purgeJobs: JobHandlers = {
  /** Deletes rows that are too old for any response, so that the store does not grow forever. Another job deletes the rest of many rows. */
  forget: async (work, { account }) => {
    const { tx, now } = work;
    const before = (seconds: number): string => formatDate(now - seconds * 1000);
    const user = { in: (await tx.users.find({ account })).map(({ id }) => id) };
    const eventsEnd = before(limits.eventHistory.windowSeconds);
    let left = atOnce;
    left -= await deleteSome(tx.events, { account, created: { lt: eventsEnd } }, left);
    left -= await deleteSome(tx.logins, { user, datetime: { lt: before(limits.loginHistory.windowSeconds) } }, left);
    left -= await deleteSome(tx.devices, { user, expiry: { lt: before(0) } }, left);
    // Their age limit is that of the events about them.
    left -= await deleteSome(tx.messages, { sent: { lt: eventsEnd } }, left);
    await work.scheduleJob({ ...purgeExpired(account), due: left === 0 ? now : now + month });
  },
};

/** The first purge of an account. */
export function planFirstPurge(account: string, now: number): Omit<JobRow, "id"> {
  return { ...purgeExpired(account), due: now + month, event: null, data: {}, failures: 0 };
}

function purgeExpired(
  account: string,
): Pick<JobRow, "account" | "kind" | "subject"> & { readonly nature: "recurring" } {
  return { account, kind: "forget", subject: jobSubject("account", account), nature: "recurring" };
}

/** Returns the number of deleted rows. */
async function deleteSome<Name extends TableName>(
  collection: Collection<Name>,
  where: Where,
  limit: number,
): Promise<number> {
  if (limit === 0) return 0;
  const rows = await collection.find(where, { offset: 0, limit });
  await collection.remove(rows.map(({ id }) => id));
  return rows.length;
}

/** Rows that a transaction deletes at most: other writes of the account wait for it. */
const atOnce = 1000;

/** Milliseconds. Infrequent, so that moving the clock by years stays quick. */
const month = 30 * 86_400_000;
