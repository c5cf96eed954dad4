import { randomBytes, timingSafeEqual } from "node:crypto";
import { errors, scratchCode, twoFactor as machine, type TwoFactorState } from "@cloud-compute/server";
import { Secret, TOTP } from "otpauth";
import type { TagHandlers } from "../../context.js";
import { hashOf } from "../../access/credentials.js";
import type { TwoFactorRow, UserRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { profileEntity, recordUserEvent, userOf } from "./users.js";

export const twoFactorHandlers: TagHandlers<"enableTwoFactor" | "confirmTwoFactor" | "disableTwoFactor"> = {
  // security-questions-unanswered and two-factor-enabled: the generated server has checked them.
  enableTwoFactor: async ({ target: { user, asOf } }, { work }) => {
    // The generated server has rejected the other states.
    const before = twoFactorState(user, asOf) as "disabled" | "secret_issued";
    const state = machine.transition(before, "enableTwoFactor", "secret_issued");
    const secret = new Secret({ size: secretBytes }).base32;
    const expiry = formatDate(work.now + (machine.timeoutOf(state)?.seconds ?? 0) * 1000);
    // The secret expires exactly at the time in the response, to the second.
    await work.tx.users.patch(user, {
      twoFactor: { state, secret, expires: Date.parse(expiry), scratchHash: null },
    });
    return { status: 200, body: { secret, expiry } };
  },

  // no-two-factor-secret: the generated server has checked it, expired secrets included.
  confirmTwoFactor: async ({ target: { user }, body: { tfa_code } }, { work }) => {
    if (!isCurrent(tfa_code, user.twoFactor, work.now)) throw errors.wrongTwoFactorCode();
    const state = machine.transition("secret_issued", "confirmTwoFactor", "enabled");
    scratchCode.transition("none", "confirmTwoFactor", "unused");
    const scratch = randomBytes(scratchBytes).toString("hex");
    await work.tx.users.patch(user, {
      // two-factor-on
      profile: { ...user.profile, two_factor_auth: true },
      // scratch-code-once: a login, which is not part of this API, finds it by its hash and deletes the hash.
      twoFactor: { ...user.twoFactor, state, expires: null, scratchHash: hashOf(scratch) },
    });
    // event-two-factor-enabled
    await recordUserEvent(work, user, { action: "tfa_enabled", entity: profileEntity(user) });
    return { status: 200, body: { scratch } };
  },

  disableTwoFactor: async (_input, context) => {
    await twoFactorOff(context.work, await userOf(context));
    return { status: 200, body: {} };
  },
};

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
function isCurrent(code: string, { secret }: TwoFactorRow, now: number): boolean {
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
const secretBytes = 20;
const scratchBytes = 16;
