import { randomInt } from "node:crypto";
import { errors, phoneVerification, type PhoneVerificationState } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { PhoneCodeRow, UserRow } from "../../store/rows.js";
import type { Caller, UnitOfWork } from "../../unit-of-work.js";
import { userOf } from "./users.js";

export const phoneHandlers: TagHandlers<"sendPhoneCode" | "verifyPhoneNumber" | "deletePhoneNumber"> = {
  // phone-number-verified: the generated server has checked it.
  sendPhoneCode: async ({ target: { user }, body: { iso_code, phone_number } }, { work }) => {
    const number = await internationalOf(phone_number, iso_code.toUpperCase());
    const sent = phoneCodeResent(user, { number, now: work.now }) ?? newCode(work, number);
    await work.tx.users.patch(user, { phone: sent });
    await phoneCodeSent(work, sent);
    // Only new codes count against the limit.
    return { status: 200, body: {}, effects: sent === user.phone ? [] : ["phone-code-sent"] };
  },

  // no-phone-code: the generated server has checked it, expired codes included.
  verifyPhoneNumber: async ({ target: { user }, body: { otp_code } }, { work }) => {
    if (user.phone?.code !== otp_code) throw errors.wrongPhoneCode();
    phoneVerification.transition("code_sent", "verifyPhoneNumber", "verified");
    // phone-number-assigned
    const profile = { ...user.profile, verified_phone_number: user.phone.number };
    await work.tx.users.patch(user, { profile, phone: null });
    return { status: 200, body: {} };
  },

  deletePhoneNumber: async (_input, context) => {
    const user = await userOf(context);
    // phone-number-removed. The code becomes invalid, too.
    const profile = { ...user.profile, verified_phone_number: null };
    await context.work.tx.users.patch(user, { profile, phone: null });
    return { status: 200, body: {} };
  },
};

/** Invalidates the code of a user when phone-code-attempts is reached: phone-code-void. */
export async function voidPhoneCode({ tx }: UnitOfWork, { user }: Pick<Caller, "user">): Promise<void> {
  await tx.users.patch(await tx.users.getOrThrow(user), { phone: null });
}

/** The state of a user's phone verification. */
export function phoneState({ phone: sent, profile }: UserRow, now: number): PhoneVerificationState {
  if (profile.verified_phone_number !== null) return "verified";
  return sent !== null && sent.expires > now ? "code_sent" : "none";
}

/**
 * A number in international format.
 *
 * @throws when the number is impossible in the country
 */
async function internationalOf(written: string, country: string): Promise<string> {
  // Loaded on demand: the library has large data about all countries.
  const { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } = await import("libphonenumber-js");
  if (!isSupportedCountry(country)) throw errors.unknownCountry();
  const parsed = parsePhoneNumberFromString(written, country);
  // Unassigned numbers are accepted: some are reserved for examples and tests.
  if (
    parsed?.countryCallingCode !== getCountryCallingCode(country) ||
    !parsed.isPossible() ||
    !e164.test(parsed.number)
  )
    throw errors.unfitPhoneNumber();
  return parsed.number;
}

/** Some countries have numbers that are longer than international ones may be. */
const e164 = /^\+[1-9][0-9]{1,14}$/;

/** The code that was sent to the same number, while it is valid. Its expiry stays. */
function phoneCodeResent(
  { phone: sent }: UserRow,
  { number, now }: { readonly number: string; readonly now: number },
): PhoneCodeRow | undefined {
  return sent !== null && sent.number === number && sent.expires > now ? sent : undefined;
}

function newCode({ now }: UnitOfWork, number: string): PhoneCodeRow {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  return { number, code, expires: now + (phoneVerification.timeoutOf("code_sent")?.seconds ?? 0) * 1000 };
}

async function phoneCodeSent({ tx, date }: UnitOfWork, { number, code }: PhoneCodeRow): Promise<void> {
  await tx.messages.add({ to: number, text: `Your Cloud Compute verification code is ${code}.`, code, sent: date });
}

const codeDigits = 6;
