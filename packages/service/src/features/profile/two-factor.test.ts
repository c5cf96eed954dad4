import * as api from "@cloud-compute/client";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("a code of the secret enables two-factor authentication, and a request disables it", async () => {
  const world = await start();
  const { admin } = world;
  await answer(admin);
  const { secret, expiry } = await api.enableTwoFactor(admin);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const now = await timeOf(world);
  expect(now + 3_600_000 - Date.parse(expiry)).toBeLessThan(2000);
  expect((await api.getProfile(admin)).two_factor_auth).toBe(false);
  const { scratch } = await api.confirmTwoFactor(admin, { body: { tfa_code: codeAt(secret, now) } });
  expect(scratch).toMatch(/^[0-9a-f]{32}$/);
  expect((await api.getProfile(admin)).two_factor_auth).toBe(true);
  expect(await failure(api.enableTwoFactor(admin))).toEqual([400, "Two-factor authentication is on already"]);
  expect(await api.disableTwoFactor(admin)).toEqual({});
  expect((await api.getProfile(admin)).two_factor_auth).toBe(false);
  expect((await api.listEvents(admin)).data).toMatchObject([
    { action: "tfa_enabled", username: "admin", entity: { type: "profile", label: "admin" } },
    { action: "tfa_disabled", username: "admin", entity: { type: "profile", label: "admin" } },
  ]);
  expect(await failure(confirm(admin, codeAt(secret, now)))).toEqual([400, noSecret]);
});

test("requires answers to the security questions", async () => {
  const { admin } = await start();
  expect(await failure(api.enableTwoFactor(admin))).toEqual([400, "The security questions have to be answered first"]);
});

test("a wrong code is rejected, and the secret stays valid", async () => {
  const world = await start();
  const { admin } = world;
  expect(await failure(confirm(admin, "000000"))).toEqual([400, noSecret]);
  await answer(admin);
  const { secret } = await api.enableTwoFactor(admin);
  const now = await timeOf(world);
  const right = codeAt(secret, now);
  const wrong = ["000000", "111111", "222222"].find((each) => each !== right && each !== codeAt(secret, now - 30_000));
  expect(await failure(confirm(admin, wrong ?? ""))).toEqual([400, wrongCode]);
  expect((await api.getProfile(admin)).two_factor_auth).toBe(false);
  await confirm(admin, right);
  expect((await api.getProfile(admin)).two_factor_auth).toBe(true);
});

test("a code is valid in its 30 seconds and the 30 after, neither before nor later", async () => {
  const world = await start();
  const { admin } = world;
  await answer(admin);
  const { secret } = await api.enableTwoFactor(admin);
  await toMiddleOfPeriod(world);
  const now = await timeOf(world);
  expect(await failure(confirm(admin, codeAt(secret, now + 30_000)))).toEqual([400, wrongCode]);
  expect(await failure(confirm(admin, codeAt(secret, now - 60_000)))).toEqual([400, wrongCode]);
  await confirm(admin, codeAt(secret, now - 30_000));
  expect((await api.getProfile(admin)).two_factor_auth).toBe(true);
});

test("a secret expires after an hour without confirmation", async () => {
  const world = await start();
  const { admin, advance } = world;
  await answer(admin);
  const first = await api.enableTwoFactor(admin);
  await advance("PT59M55S");
  const wrong = codeAt(first.secret, (await timeOf(world)) + 3_600_000);
  expect(await failure(confirm(admin, wrong))).toEqual([400, wrongCode]);
  await advance("PT5S");
  expect(await failure(confirm(admin, codeAt(first.secret, await timeOf(world))))).toEqual([400, noSecret]);
  const second = await api.enableTwoFactor(admin);
  await confirm(admin, codeAt(second.secret, await timeOf(world)));
});

test("just before the hour is over, the secret can be confirmed", async () => {
  const world = await start();
  await answer(world.admin);
  const { secret } = await api.enableTwoFactor(world.admin);
  await world.advance("PT59M55S");
  await confirm(world.admin, codeAt(secret, await timeOf(world)));
});

test("a second request replaces the secret", async () => {
  const world = await start();
  const { admin } = world;
  await answer(admin);
  const first = await api.enableTwoFactor(admin);
  const second = await api.enableTwoFactor(admin);
  expect(second.secret).not.toBe(first.secret);
  const now = await timeOf(world);
  expect(await failure(confirm(admin, codeAt(first.secret, now)))).toEqual([400, wrongCode]);
  await confirm(admin, codeAt(second.secret, now));
});

test("disabling succeeds at any time, and deletes an unconfirmed secret", async () => {
  const world = await start();
  const { admin } = world;
  expect(await api.disableTwoFactor(admin)).toEqual({});
  await answer(admin);
  const { secret } = await api.enableTwoFactor(admin);
  expect(await api.disableTwoFactor(admin)).toEqual({});
  expect(await failure(confirm(admin, codeAt(secret, await timeOf(world))))).toEqual([400, noSecret]);
});

test("an update of the profile can disable it, too", async () => {
  const world = await start();
  const { admin } = world;
  await answer(admin);
  const { secret } = await api.enableTwoFactor(admin);
  await api.updateProfile(admin, { body: { two_factor_auth: false } });
  await confirm(admin, codeAt(secret, await timeOf(world)));
  const profile = await api.getProfile(admin);
  expect(await api.updateProfile(admin, { body: profile })).toEqual(profile);
  const off = await api.updateProfile(admin, { body: { two_factor_auth: false, timezone: "Asia/Tokyo" } });
  expect(off).toEqual({ ...profile, two_factor_auth: false, timezone: "Asia/Tokyo" });
  expect((await api.listEvents(admin)).data.map(({ action }) => action)).toEqual([
    "tfa_enabled",
    "tfa_disabled",
    "profile_update",
  ]);
  expect(await failure(confirm(admin, codeAt(secret, await timeOf(world))))).toEqual([400, noSecret]);
});

const noSecret = "tfa_code: No secret waits for a code, or it has expired";
const wrongCode = "tfa_code: This is not the current code";

function confirm(client: api.Client, tfa_code: string): Promise<{ scratch: string }> {
  return Promise.resolve(api.confirmTwoFactor(client, { body: { tfa_code } }));
}

async function answer(client: api.Client): Promise<void> {
  const security_questions = [1, 2, 3].map((question_id) => ({ question_id, response: "Gotham" }));
  await api.answerSecurityQuestions(client, { body: { security_questions } });
}

async function timeOf(world: World): Promise<number> {
  return Date.parse((await controls.getClock(world.controls)).now);
}

/** So that the code does not change during a test. */
async function toMiddleOfPeriod(world: World): Promise<void> {
  const past = ((await timeOf(world)) / 1000) % 30;
  await world.advance(`PT${(45 - past) % 30}S`);
}

function codeAt(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp });
}
