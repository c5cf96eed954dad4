import { randomBytes, timingSafeEqual } from "node:crypto";
import { errors, scratchCode, twoFactor as machine, type TwoFactorState } from "@cloud-compute/server";
import { Secret, TOTP } from "otpauth";
import type { Area } from "../context.js";
import { hashOf } from "../credentials.js";
import type { TwoFactorRow, UserRow } from "../store/rows.js";
import { iso } from "../store/tx.js";
import type { Work } from "../work.js";
import { profileEntity, tellOf, userOf } from "./users.js";

export const twoFactor: Area<"enableTwoFactor" | "confirmTwoFactor" | "disableTwoFactor"> = {
  // security-questions-unanswered and two-factor-enabled are refused before.
  enableTwoFactor: async ({ target: { user, asOf } }, { work }) => {
    // What the stubs have let through is one of these.
    const before = twoFactorState(user, asOf) as "disabled" | "secret_issued";
    const state = machine.transition(before, "enableTwoFactor", "secret_issued");
    const secret = new Secret({ size: secretBytes }).base32;
    const expiry = iso(work.now + (machine.lifetimeOf(state)?.seconds ?? 0) * 1000);
    // It ends when it says so, to the second.
    await work.tx.users.change(user, {
      twoFactor: { state, secret, expires: Date.parse(expiry), scratchHash: null },
    });
    return { status: 200, body: { secret, expiry } };
  },

  // no-two-factor-secret is refused before, also once the secret has expired.
  confirmTwoFactor: async ({ target: { user }, body: { tfa_code } }, { work }) => {
    if (!isCurrent(tfa_code, user.twoFactor, work.now)) throw errors.wrongTwoFactorCode();
    const state = machine.transition("secret_issued", "confirmTwoFactor", "enabled");
    scratchCode.transition("none", "confirmTwoFactor", "unused");
    const scratch = randomBytes(scratchBytes).toString("hex");
    await work.tx.users.change(user, {
      // two-factor-on
      profile: { ...user.profile, two_factor_auth: true },
      // scratch-code-once: the login that takes it, which is no operation here, finds it by its hash and takes the hash away.
      twoFactor: { ...user.twoFactor, state, expires: null, scratchHash: hashOf(scratch) },
    });
    // event-two-factor-enabled
    await tellOf(work, user, { action: "tfa_enabled", entity: profileEntity(user) });
    return { status: 200, body: { scratch } };
  },

  disableTwoFactor: async (_input, context) => {
    await twoFactorOff(context.work, await userOf(context));
    return { status: 200, body: {} };
  },
};

/** Logins need only the password again. Neither the secret nor the scratch code is kept. */
export async function twoFactorOff(work: Work, user: UserRow): Promise<UserRow> {
  const state = machine.transition(twoFactorState(user, work.now), "disableTwoFactor", "disabled");
  const changed = await work.tx.users.change(user, {
    profile: { ...user.profile, two_factor_auth: false },
    twoFactor: { state, secret: null, expires: null, scratchHash: null },
  });
  // event-two-factor-disabled
  await tellOf(work, user, { action: "tfa_disabled", entity: profileEntity(user) });
  return changed;
}

/** How far a user has come: a secret that nobody confirmed in time is none any more. */
export function twoFactorState({ twoFactor: { state, expires } }: UserRow, now: number): TwoFactorState {
  return state === "secret_issued" && (expires ?? 0) <= now ? "disabled" : state;
}

/** Whether a code is that of the 30 seconds that it is now, or of the 30 before, for it takes a moment to type. */
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
/** As long as the SHA-1 that codes are made with, which RFC 4226 advises. */
const secretBytes = 20;
const scratchBytes = 16;
