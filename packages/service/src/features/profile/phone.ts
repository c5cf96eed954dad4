import { randomInt } from "node:crypto";
import { errors, phoneVerification, type PhoneVerificationState } from "@cloud-compute/server";
import type { Caller } from "../../access/caller.js";
import type { PhoneCodeRow, UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

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
export async function internationalOf(written: string, country: string): Promise<string> {
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
export function phoneCodeResent(
  { phone: sent }: UserRow,
  { number, now }: { readonly number: string; readonly now: number },
): PhoneCodeRow | undefined {
  return sent !== null && sent.number === number && sent.expires > now ? sent : undefined;
}

/** A new code for a number. */
export function newPhoneCode({ now }: UnitOfWork, number: string): PhoneCodeRow {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  return { number, code, expires: now + (phoneVerification.timeoutOf("code_sent")?.seconds ?? 0) * 1000 };
}

/** Sends a code in a text message. */
export async function phoneCodeSent({ tx, date }: UnitOfWork, { number, code }: PhoneCodeRow): Promise<void> {
  await tx.messages.add({ to: number, text: `Your Cloud Compute verification code is ${code}.`, code, sent: date });
}

const codeDigits = 6;
