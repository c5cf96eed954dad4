import { limits, page } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { Area } from "../context.js";
import type { Rows } from "../store/rows.js";
import { iso } from "../store/tx.js";
import type { Work } from "../work.js";

export const logins: Area<"listLogins" | "getLogin"> = {
  listLogins: async ({ query, visible }, { work }) => {
    // Logins are at whole seconds: the first that is not too long ago.
    const where = { datetime: { atLeast: iso(work.now + 1000 - limits.loginHistory.windowSeconds * 1000) } };
    const { items, total } = await work.tx.logins.list(where, { query, visible });
    return { status: 200, body: page(query, items, total) };
  },

  getLogin: ({ target }) => ({ status: 200, body: target }),
};

/** Whether a login is still shown. */
export function isRecent({ datetime }: Rows["logins"], { now }: Work): boolean {
  return deadlineOf(limits.loginHistory, datetime).getTime() > now;
}
