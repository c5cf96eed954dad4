import { limits } from "@cloud-compute/server";
import type { JobHandlers } from "../platform/jobs.js";
import type { Collection, Where } from "../store/collection.js";
import type { JobRow } from "../store/rows.js";
import type { TableName } from "../store/tables.js";
import { iso } from "../store/tx.js";

export const forgettingJobs: JobHandlers = {
  /** What is not shown any more for its age is taken away, so that it does not grow forever. */
  forget: async (work, { account }) => {
    const { tx, now } = work;
    const before = (seconds: number): string => iso(now - seconds * 1000);
    const user = { among: (await tx.users.find({ account })).map(({ id }) => id) };
    const eventsEnd = before(limits.eventHistory.windowSeconds);
    await takenAway(tx.events, { account, created: { below: eventsEnd } });
    await takenAway(tx.logins, { user, datetime: { below: before(limits.loginHistory.windowSeconds) } });
    await takenAway(tx.devices, { user, expiry: { below: before(0) } });
    // They are of no account, and as old as what tells of them.
    await takenAway(tx.messages, { sent: { below: eventsEnd } });
    await work.plan({ ...forgetting(account), due: now + month });
  },
};

/** The first time that an account forgets. */
export function firstForgetting(account: string, now: number): Omit<JobRow, "id"> {
  return { ...forgetting(account), due: now + month, event: null, data: {}, failures: 0 };
}

function forgetting(account: string): Pick<JobRow, "account" | "kind" | "subject"> & { readonly nature: "recurring" } {
  return { account, kind: "forget", subject: `account ${account}`, nature: "recurring" };
}

/** Some at a time, since they may be many. */
async function takenAway<Name extends TableName>(collection: Collection<Name>, where: Where): Promise<void> {
  for (;;) {
    const rows = await collection.find(where, { offset: 0, limit: atOnce });
    await collection.remove(rows.map(({ id }) => id));
    if (rows.length < atOnce) return;
  }
}

const atOnce = 1000;

/** Milliseconds. Seldom, so that a clock that is moved by years does not take long. */
const month = 30 * 86_400_000;
