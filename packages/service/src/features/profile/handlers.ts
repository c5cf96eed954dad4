import { randomBytes } from "node:crypto";
import {
  errors,
  limits,
  twoFactor as machine,
  page,
  phoneVerification,
  scratchCode,
  type Profile,
} from "@cloud-compute/server";
import { Secret } from "otpauth";
import { callerOf, type Caller } from "../../access/caller.js";
import { hashOf } from "../../access/credentials.js";
import type { TagHandlers } from "../../context.js";
import { isSameRow } from "../../store/same-row.js";
import { formatDate } from "../../store/transaction.js";
import { profileEntity } from "../events/lifecycle.js";
import { grantsResponse } from "./grants.js";
import { profileOf } from "./lifecycle.js";
import { internationalOf, newPhoneCode, phoneCodeResent, phoneCodeSent } from "./phone.js";
import { securityQuestions } from "./security-questions.js";
import { isCurrentCode, scratchBytes, secretBytes, twoFactorOff, twoFactorState } from "./two-factor.js";
import { recordUserEvent, userOf } from "./users.js";

export const profileHandlers: TagHandlers<
  | "getProfile"
  | "updateProfile"
  | "getGrants"
  | "getPreferences"
  | "updatePreferences"
  | "sendPhoneCode"
  | "verifyPhoneNumber"
  | "deletePhoneNumber"
  | "listSecurityQuestions"
  | "answerSecurityQuestions"
  | "enableTwoFactor"
  | "confirmTwoFactor"
  | "disableTwoFactor"
  | "listLogins"
  | "getLogin"
> = {
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
    if (isSameRow(next, target.user.profile)) return { status: 200, body: target };
    const changed = await work.tx.users.patch(user, { profile: next });
    // event-profile-update
    await recordUserEvent(work, user, { action: "profile_update", entity: profileEntity(user) });
    return { status: 200, body: profileOf(changed, work) };
  },

  getGrants: async (_input, context) => {
    const user = await userOf(context);
    if (!user.profile.restricted) return { status: 204 };
    return { status: 200, body: await grantsResponse(context.work, user) };
  },

  getPreferences: async (_input, context) => {
    const stored = await context.work.tx.preferences.get(preferencesId(callerOf(context)));
    return { status: 200, body: stored?.preferences ?? {} };
  },

  // preferences-too-long: the generated server has checked it.
  updatePreferences: async ({ body }, context) => {
    const { tx } = context.work;
    const caller = callerOf(context);
    const row = { id: preferencesId(caller), user: caller.user, preferences: body };
    await ((await tx.preferences.get(row.id)) === undefined ? tx.preferences.add(row) : tx.preferences.update(row));
    return { status: 200, body };
  },

  // phone-number-verified: the generated server has checked it.
  sendPhoneCode: async ({ target: { user }, body: { iso_code, phone_number } }, { work }) => {
    const number = await internationalOf(phone_number, iso_code.toUpperCase());
    const sent = phoneCodeResent(user, { number, now: work.now }) ?? newPhoneCode(work, number);
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

  listSecurityQuestions: async (_input, context) => {
    const { answers } = await userOf(context);
    const questions = securityQuestions.map((each) => ({ ...each, response: answers[each.id] ?? null }));
    return { status: 200, body: { security_questions: questions } };
  },

  // question-repeated and no-such-question: the generated server has checked them.
  answerSecurityQuestions: async ({ body, refs }, context) => {
    const sent = body.security_questions;
    const questions = refs["security_questions.question_id"];
    // answers-overwritten, other-answers-cleared: the new answers replace all earlier ones.
    const answers = Object.fromEntries(sent.map(({ question_id, response }) => [question_id, response]));
    await context.work.tx.users.patch(await userOf(context), { answers });
    const answered = sent.map(({ question_id, response }) => ({
      question_id,
      response,
      security_question: questions.get(question_id)?.question ?? "",
    }));
    return { status: 200, body: { security_questions: answered } };
  },

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
    if (!isCurrentCode(tfa_code, user.twoFactor, work.now)) throw errors.wrongTwoFactorCode();
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

  listLogins: async ({ query, listScope }, { work }) => {
    // Logins are in whole seconds: the first one that is recent enough.
    const where = { datetime: { gte: formatDate(work.now + 1000 - limits.loginHistory.windowSeconds * 1000) } };
    const { items, total } = await work.tx.logins.list(where, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  getLogin: ({ target }) => ({ status: 200, body: target }),
};

/** A user has one set of preferences for each client. Personal access tokens have no client and share one set. */
function preferencesId({ user, client }: Caller): string {
  return JSON.stringify([user, client ?? null]);
}
