import { limits } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { ProfileRow, Rows, UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export { grantsResponse } from "./grants.js";
export { phoneState, voidPhoneCode } from "./phone.js";
export { securityQuestions } from "./security-questions.js";
export { twoFactorState } from "./two-factor.js";

/** The profile of a user, as the server loads it. */
export function profileOf(user: UserRow, { now }: UnitOfWork): ProfileRow {
  return { ...user.profile, user, asOf: now };
}

/** The end of a trusted device's session that starts at a time, both in milliseconds since 1970. */
export function sessionEnd(created: number): number {
  return deadlineOf(limits.deviceSession, created).getTime();
}

/** Whether a device is still trusted. */
export function isRemembered({ expiry }: Rows["devices"], { now }: UnitOfWork): boolean {
  return Date.parse(expiry) > now;
}

/** Whether a login is still listed. */
export function isRecent({ datetime }: Rows["logins"], { now }: UnitOfWork): boolean {
  return deadlineOf(limits.loginHistory, datetime).getTime() > now;
}
