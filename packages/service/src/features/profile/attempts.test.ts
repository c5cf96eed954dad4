import * as api from "@cloud-compute/client";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const wrongCode = [400, "otp_code: This is not the code that was sent for this user"];
const noCode = [400, "otp_code: The user has asked for no code, or the code has expired"];
const tooMany = [429, "Too many requests"];

const verify = (client: api.Client, otp_code: string): Promise<unknown> =>
  Promise.resolve(api.verifyPhoneNumber(client, { body: { otp_code } }));
const send = (client: api.Client, number: number): Promise<unknown> =>
  Promise.resolve(
    api.sendPhoneCode(client, { body: { iso_code: "US", phone_number: `555-555-${String(number).padStart(4, "0")}` } }),
  );

/** The code of the newest message, and a wrong code. */
async function newest({ controls: client }: World): Promise<{ readonly right: string; readonly wrong: string }> {
  const { data } = await controls.listMessages(client, {});
  const right = data[0]?.code ?? "";
  return { right, wrong: right === "000000" ? "111111" : "000000" };
}

async function guess(client: api.Client, wrong: string, times: number): Promise<void> {
  for (let each = 0; each < times; each += 1) expect(await failure(verify(client, wrong))).toEqual(wrongCode);
}

describe("the code of a phone", () => {
  test("becomes invalid after five wrong codes, and the next message has a new one", async () => {
    const world = await start();
    const { admin } = world;
    await send(admin, 123);
    const { right, wrong } = await newest(world);
    await guess(admin, wrong, 5);
    expect(await failure(verify(admin, right))).toEqual(noCode);
    expect(await failure(verify(admin, wrong))).toEqual(noCode);
    // Within the ten minutes, the same number does not get the invalid code again.
    await send(admin, 123);
    const next = await newest(world);
    await guess(admin, next.wrong, 4);
    await verify(admin, next.right);
    expect((await api.getProfile(admin)).verified_phone_number).toBe("+15555550123");
  });

  test("has five attempts, which neither a resend nor another user changes", async () => {
    const world = await start();
    const { admin } = world;
    const eve = await world.user("eve");
    await send(admin, 123);
    const first = await newest(world);
    await guess(admin, first.wrong, 4);
    await send(admin, 123);
    await send(eve, 124);
    await guess(eve, (await newest(world)).wrong === first.right ? "222222" : (await newest(world)).wrong, 4);
    await guess(admin, first.wrong, 1);
    expect(await failure(verify(admin, first.right))).toEqual(noCode);
    await send(admin, 125);
    const second = await newest(world);
    await guess(admin, second.wrong, 4);
    await verify(admin, second.right);
  });

  test("allows no more attempts for concurrent requests", async () => {
    const world = await start();
    const { admin } = world;
    await send(admin, 123);
    const { right, wrong } = await newest(world);
    const answers = await Promise.all(Array.from({ length: 40 }, () => failure(verify(admin, wrong))));
    expect(answers.filter(([, reason]) => reason === wrongCode[1])).toHaveLength(5);
    expect(answers.filter(([, reason]) => reason === noCode[1])).toHaveLength(35);
    expect(await failure(verify(admin, right))).toEqual(noCode);
  });
});

test("a user gets thirty new codes in an hour, and any number of resends", async () => {
  const world = await start();
  const { admin, controls: client, advance } = world;
  for (let each = 0; each < 30; each += 1) await send(admin, each);
  expect(await failure(send(admin, 30))).toEqual(tooMany);
  for (let each = 0; each < 3; each += 1) await send(admin, 29);
  expect(await failure(send(admin, 30))).toEqual(tooMany);
  expect((await controls.listMessages(client, {})).data).toHaveLength(33);
  await send(await world.user("eve"), 31);
  await advance("PT1H");
  await send(admin, 30);
});

describe("ten wrong codes of an authenticator", () => {
  test("are the maximum for ten minutes of the service's clock", async () => {
    const world = await start();
    const { admin, advance } = world;
    const ids = [1, 2, 3];
    const answers = ids.map((question_id) => ({ question_id, response: "Gotham" }));
    await api.answerSecurityQuestions(admin, { body: { security_questions: answers } });
    const { secret } = await api.enableTwoFactor(admin);
    const codes = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });
    /** The code of a period after the current one. */
    const codeAfter = async (periods: number): Promise<string> => {
      const { now } = await controls.getClock(world.controls);
      return codes.generate({ timestamp: Date.parse(now) + periods * 30_000 });
    };
    const right = await codeAfter(0);
    // None of the codes that are valid while the test runs, for ten minutes at most.
    const valid = await Promise.all(Array.from({ length: 22 }, (_, period) => codeAfter(period - 1)));
    const wrong = ["000000", "111111", "222222", "333333"].find((each) => !valid.includes(each));
    const confirm = (tfa_code = ""): Promise<unknown> =>
      Promise.resolve(api.confirmTwoFactor(admin, { body: { tfa_code } }));
    for (let each = 0; each < 10; each += 1)
      expect(await failure(confirm(wrong))).toEqual([400, "tfa_code: This is not the current code"]);
    expect(await failure(confirm(right))).toEqual(tooMany);
    await advance("PT10M1S");
    // On a busy machine, a code may have expired when it arrives.
    let isConfirmed = false;
    for (let attempt = 0; attempt < 9 && !isConfirmed; attempt += 1)
      isConfirmed = await confirm(await codeAfter(0)).then(
        () => true,
        () => false,
      );
    expect((await api.getProfile(admin)).two_factor_auth).toBe(true);
  });
});
