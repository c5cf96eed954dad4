import { limits } from "@cloud-compute/server";
import type { Collection } from "../store/collection.js";
import type { Where } from "../store/filters/where.js";
import type { JobRow } from "../store/rows.js";
import type { TableName } from "../store/tables.js";
import { formatDate } from "../store/transaction.js";
import { jobSubject } from "./job-subjects.js";
import type { JobHandlers } from "./jobs.js";

export const purgeJobs: JobHandlers = {
  /** Deletes rows that are too old for any response, so that the store does not grow forever. */
  forget: async (work, { account }) => {
    const { tx, now } = work;
    const before = (seconds: number): string => formatDate(now - seconds * 1000);
    const user = { in: (await tx.users.find({ account })).map(({ id }) => id) };
    const eventsEnd = before(limits.eventHistory.windowSeconds);
    await deleteInTurns(tx.events, { account, created: { lt: eventsEnd } });
    await deleteInTurns(tx.logins, { user, datetime: { lt: before(limits.loginHistory.windowSeconds) } });
    await deleteInTurns(tx.devices, { user, expiry: { lt: before(0) } });
    // Messages have no account. Their age limit is that of the events about them.
    await deleteInTurns(tx.messages, { sent: { lt: eventsEnd } });
    await work.scheduleJob({ ...purgeExpired(account), due: now + month });
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

/** In batches, since there may be many rows. */
async function deleteInTurns<Name extends TableName>(collection: Collection<Name>, where: Where): Promise<void> {
  for (;;) {
    const rows = await collection.find(where, { offset: 0, limit: atOnce });
    await collection.remove(rows.map(({ id }) => id));
    if (rows.length < atOnce) return;
  }
}

const atOnce = 1000;

/** Milliseconds. Infrequent, so that moving the clock by years stays quick. */
const month = 30 * 86_400_000;
