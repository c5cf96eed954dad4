import { limits, page } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { TagHandlers } from "../../context.js";
import type { Rows } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export const loginHandlers: TagHandlers<"listLogins" | "getLogin"> = {
  listLogins: async ({ query, listScope }, { work }) => {
    // Logins are in whole seconds: the first one that is recent enough.
    const where = { datetime: { gte: formatDate(work.now + 1000 - limits.loginHistory.windowSeconds * 1000) } };
    const { items, total } = await work.tx.logins.list(where, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  getLogin: ({ target }) => ({ status: 200, body: target }),
};

/** Whether a login is still listed. */
export function isRecent({ datetime }: Rows["logins"], { now }: UnitOfWork): boolean {
  return deadlineOf(limits.loginHistory, datetime).getTime() > now;
}
