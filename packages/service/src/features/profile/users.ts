import type { Event, EventEntity } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import type { KnownContext } from "../../context.js";
import type { UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** The user of a request. */
export function userOf(context: KnownContext): Promise<UserRow> {
  return context.work.tx.users.getOrThrow(callerOf(context).user);
}

/** Records an event about a user's profile, or about an object that belongs to it. */
export async function recordUserEvent(
  work: UnitOfWork,
  user: Pick<UserRow, "id" | "account">,
  reported: { readonly action: Event["action"]; readonly entity: EventEntity },
): Promise<void> {
  await work.recordEvent({ account: user.account, username: user.id, ...reported });
}
