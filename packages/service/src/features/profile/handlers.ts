import type { Profile } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { twoFactorOff } from "./two-factor.js";
import { profileEntity, recordUserEvent, userOf } from "./users.js";

/** The profile of a response, and its user. */
export interface ProfileRow extends Profile {
  readonly user: UserRow;
  /** The time of the look-up, in milliseconds since 1970. */
  readonly asOf: number;
}

export const profileHandlers: TagHandlers<"getProfile" | "updateProfile"> = {
  getProfile: async (_input, context) => ({ status: 200, body: profileOf(await userOf(context), context.work) }),

  // ip-whitelist-stays-off and two-factor-unconfirmed: the generated server has checked them, and the user's own restriction.
  updateProfile: async ({ target, body }, { work }) => {
    const isDisabling = target.two_factor_auth && body.two_factor_auth === false;
    const user = isDisabling ? await twoFactorOff(work, target.user) : target.user;
    const stored = user.profile;
    const next: Profile = {
      ...stored,
      authorized_keys: body.authorized_keys === undefined ? stored.authorized_keys : body.authorized_keys,
      email: body.email ?? stored.email,
      email_notifications: body.email_notifications ?? stored.email_notifications,
      ip_whitelist_enabled: body.ip_whitelist_enabled ?? stored.ip_whitelist_enabled,
      lish_auth_method: body.lish_auth_method ?? stored.lish_auth_method,
      restricted: body.restricted ?? stored.restricted,
      timezone: body.timezone ?? stored.timezone,
    };
    if (JSON.stringify(next) === JSON.stringify(target.user.profile)) return { status: 200, body: target };
    const changed = await work.tx.users.patch(user, { profile: next });
    // event-profile-update
    await recordUserEvent(work, user, { action: "profile_update", entity: profileEntity(user) });
    return { status: 200, body: profileOf(changed, work) };
  },
};

export function profileOf(user: UserRow, { now }: UnitOfWork): ProfileRow {
  return { ...user.profile, user, asOf: now };
}
