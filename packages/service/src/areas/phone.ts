import { randomInt } from "node:crypto";
import { errors, phoneVerification, type PhoneVerificationState } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { PhoneCodeRow, UserRow } from "../store/rows.js";
import type { Caller, Work } from "../work.js";
import { userOf } from "./users.js";

export const phone: Area<"sendPhoneCode" | "verifyPhoneNumber" | "deletePhoneNumber"> = {
  // phone-number-verified is refused before.
  sendPhoneCode: async ({ target: { user }, body: { iso_code, phone_number } }, { work }) => {
    const number = await internationalOf(phone_number, iso_code.toUpperCase());
    const sent = phoneCodeResent(user, { number, now: work.now }) ?? newCode(work, number);
    await work.tx.users.change(user, { phone: sent });
    await phoneCodeSent(work, sent);
    // New codes alone are counted.
    return { status: 200, body: {}, effects: sent === user.phone ? [] : ["phone-code-sent"] };
  },

  // no-phone-code is refused before, also once the code has expired.
  verifyPhoneNumber: async ({ target: { user }, body: { otp_code } }, { work }) => {
    if (user.phone?.code !== otp_code) throw errors.wrongPhoneCode();
    phoneVerification.transition("code_sent", "verifyPhoneNumber", "verified");
    // phone-number-assigned
    const profile = { ...user.profile, verified_phone_number: user.phone.number };
    await work.tx.users.change(user, { profile, phone: null });
    return { status: 200, body: {} };
  },

  deletePhoneNumber: async (_input, context) => {
    const user = await userOf(context);
    // phone-number-removed, and a code that was sent counts no longer.
    const profile = { ...user.profile, verified_phone_number: null };
    await context.work.tx.users.change(user, { profile, phone: null });
    return { status: 200, body: {} };
  },
};

/** Of the code that was sent to a user nothing is left to be guessed: phone-code-attempts is reached. */
export async function phoneCodeVoid({ tx }: Work, { user }: Pick<Caller, "user">): Promise<void> {
  await tx.users.change(await tx.users.only(user), { phone: null });
}

/** How far the verification of a user's number has come. */
export function phoneState({ phone: sent, profile }: UserRow, now: number): PhoneVerificationState {
  if (profile.verified_phone_number !== null) return "verified";
  return sent !== null && sent.expires > now ? "code_sent" : "none";
}

/** A number as the whole world calls it. Throws a Refused for what cannot be a number of the country. */
async function internationalOf(written: string, country: string): Promise<string> {
  // Loaded when it is needed: what it knows of all countries is large.
  const { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } = await import("libphonenumber-js");
  if (!isSupportedCountry(country)) throw errors.unknownCountry();
  const parsed = parsePhoneNumberFromString(written, country);
  // Numbers that nobody has been given yet are let through: such are kept for examples and tests.
  if (
    parsed?.countryCallingCode !== getCountryCallingCode(country) ||
    !parsed.isPossible() ||
    !e164.test(parsed.number)
  )
    throw errors.unfitPhoneNumber();
  return parsed.number;
}

/** Some countries have numbers that are longer than the world can call. */
const e164 = /^\+[1-9][0-9]{1,14}$/;

/** The code that was sent to the same number and is still good; it becomes no longer so. */
function phoneCodeResent(
  { phone: sent }: UserRow,
  { number, now }: { readonly number: string; readonly now: number },
): PhoneCodeRow | undefined {
  return sent !== null && sent.number === number && sent.expires > now ? sent : undefined;
}

function newCode({ now }: Work, number: string): PhoneCodeRow {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  return { number, code, expires: now + (phoneVerification.lifetimeOf("code_sent")?.seconds ?? 0) * 1000 };
}

async function phoneCodeSent({ tx, date }: Work, { number, code }: PhoneCodeRow): Promise<void> {
  await tx.messages.add({ to: number, text: `Your Cloud Compute verification code is ${code}.`, code, sent: date });
}

const codeDigits = 6;
