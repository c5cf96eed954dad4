import type { Area } from "../context.js";
import { callerOf, type Caller } from "../work.js";

export const preferences: Area<"getPreferences" | "updatePreferences"> = {
  getPreferences: async (_input, context) => {
    const stored = await context.work.tx.preferences.get(idOf(callerOf(context)));
    return { status: 200, body: stored?.preferences ?? {} };
  },

  // preferences-too-long is refused before.
  updatePreferences: async ({ body }, context) => {
    const { tx } = context.work;
    const caller = callerOf(context);
    const row = { id: idOf(caller), user: caller.user, preferences: body };
    await ((await tx.preferences.get(row.id)) === undefined ? tx.preferences.add(row) : tx.preferences.put(row));
    return { status: 200, body };
  },
};

/** A user has one set for each client; personal access tokens come from none and share theirs. */
function idOf({ user, client }: Caller): string {
  return JSON.stringify([user, client ?? null]);
}
