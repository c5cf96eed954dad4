import type { Event, EventEntity } from "@cloud-compute/server";
import type { KnownContext } from "../context.js";
import type { UserRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";

/** The user on whose behalf a request is made. */
export function userOf(context: KnownContext): Promise<UserRow> {
  return context.work.tx.users.only(callerOf(context).user);
}

/** Tells of something that a user did with its own profile, or with what belongs to it. */
export async function tellOf(
  work: Work,
  user: Pick<UserRow, "id" | "account">,
  told: { readonly action: Event["action"]; readonly entity: EventEntity },
): Promise<void> {
  await work.tell({ account: user.account, username: user.id, ...told });
}

/** A profile as events name it. */
export function profileEntity({ id, profile }: UserRow): EventEntity {
  return { id: profile.uid, label: id, type: "profile", url: "/v4/profile" };
}
