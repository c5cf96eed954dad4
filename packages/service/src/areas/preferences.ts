import { errors } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { callerOf, type Caller } from "../work.js";

export const preferences: Area<"getPreferences" | "updatePreferences"> = {
  getPreferences: async (_input, context) => {
    const stored = await context.work.tx.preferences.get(idOf(callerOf(context)));
    return { status: 200, body: stored?.preferences ?? {} };
  },

  updatePreferences: async ({ body }, context) => {
    const { tx } = context.work;
    const caller = callerOf(context);
    if (isTooLong(JSON.stringify(body))) throw errors.preferencesTooLong();
    const row = { id: idOf(caller), user: caller.user, preferences: body };
    await ((await tx.preferences.get(row.id)) === undefined ? tx.preferences.add(row) : tx.preferences.put(row));
    return { status: 200, body };
  },
};

/** A user has one set for each client; personal access tokens come from none and share theirs. */
function idOf({ user, client }: Caller): string {
  return JSON.stringify([user, client ?? null]);
}

/** Characters are code points, some of which are two units of a text. */
function isTooLong(text: string): boolean {
  if (text.length <= longest) return false;
  const pairs = text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0;
  return text.length - pairs > longest;
}

const longest = 65_535;
