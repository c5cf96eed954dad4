import type { Profile } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { UserRow } from "../store/rows.js";
import type { Work } from "../work.js";
import { callerOf } from "../work.js";

/** A profile as it is shown, and the user whose it is. */
export interface ProfileRow extends Profile {
  readonly user: UserRow;
  /** When it was looked up, in milliseconds since 1970. */
  readonly asOf: number;
}

export const profile: Area<"getProfile"> = {
  getProfile: async (_input, context) => {
    const user = await context.work.tx.users.only(callerOf(context).user);
    return { status: 200, body: profileOf(user, context.work) };
  },
};

export function profileOf(user: UserRow, { now }: Work): ProfileRow {
  return { ...user.profile, user, asOf: now };
}

export function phoneState({ phone, profile: { verified_phone_number } }: UserRow, now: number): string {
  if (verified_phone_number !== null) return "verified";
  return phone !== null && phone.expires > now ? "code_sent" : "none";
}

export function twoFactorState({ twoFactor: { state, expires } }: UserRow, now: number): string {
  return state === "secret_issued" && (expires ?? 0) <= now ? "disabled" : state;
}
