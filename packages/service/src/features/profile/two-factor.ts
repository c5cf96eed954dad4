import { timingSafeEqual } from "node:crypto";
import { twoFactor as machine, type TwoFactorState } from "@cloud-compute/server";
import { Secret, TOTP } from "otpauth";
import type { TwoFactorRow, UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { profileEntity } from "../events/lifecycle.js";
import { recordUserEvent } from "./users.js";

/** Logins need only the password again. The secret and the scratch code are deleted. */
export async function twoFactorOff(work: UnitOfWork, user: UserRow): Promise<UserRow> {
  const state = machine.transition(twoFactorState(user, work.now), "disableTwoFactor", "disabled");
  const changed = await work.tx.users.patch(user, {
    profile: { ...user.profile, two_factor_auth: false },
    twoFactor: { state, secret: null, expires: null, scratchHash: null },
  });
  // event-two-factor-disabled
  await recordUserEvent(work, user, { action: "tfa_disabled", entity: profileEntity(user) });
  return changed;
}

/** The state of a user's two-factor authentication. An unconfirmed secret expires. */
export function twoFactorState({ twoFactor: { state, expires } }: UserRow, now: number): TwoFactorState {
  return state === "secret_issued" && (expires ?? 0) <= now ? "disabled" : state;
}

/** Whether a code is that of the current 30 seconds, or of the 30 before, since typing takes a moment. */
export function isCurrentCode(code: string, { secret }: TwoFactorRow, now: number): boolean {
  if (secret === null) return false;
  const codes = new TOTP({
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: 6,
    period: period / 1000,
  });
  return [now, now - period].some((timestamp) =>
    timingSafeEqual(Buffer.from(codes.generate({ timestamp })), Buffer.from(code)),
  );
}

/** Milliseconds. */
const period = 30_000;

/** The length of SHA-1, the hash of the codes, as RFC 4226 recommends. */
export const secretBytes = 20;

export const scratchBytes = 16;
