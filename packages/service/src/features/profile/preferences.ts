import type { TagHandlers } from "../../context.js";
import { callerOf, type Caller } from "../../unit-of-work.js";

export const preferencesHandlers: TagHandlers<"getPreferences" | "updatePreferences"> = {
  getPreferences: async (_input, context) => {
    const stored = await context.work.tx.preferences.get(preferencesId(callerOf(context)));
    return { status: 200, body: stored?.preferences ?? {} };
  },

  // preferences-too-long: the generated server has checked it.
  updatePreferences: async ({ body }, context) => {
    const { tx } = context.work;
    const caller = callerOf(context);
    const row = { id: preferencesId(caller), user: caller.user, preferences: body };
    await ((await tx.preferences.get(row.id)) === undefined ? tx.preferences.add(row) : tx.preferences.update(row));
    return { status: 200, body };
  },
};

/** A user has one set of preferences for each client. Personal access tokens have no client and share one set. */
function preferencesId({ user, client }: Caller): string {
  return JSON.stringify([user, client ?? null]);
}
