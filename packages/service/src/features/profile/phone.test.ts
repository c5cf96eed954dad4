import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("the code of a message verifies its number", async () => {
  const { admin, controls: client } = await start();
  const before = await api.getProfile(admin);
  expect(await api.sendPhoneCode(admin, { body: american })).toEqual({});
  const { data } = await controls.listMessages(client, { query: { to: "+15555550123" } });
  expect(data).toEqual([
    { to: "+15555550123", text: expect.stringContaining(data[0]?.code ?? "?"), code: sixDigits, sent: aTime },
  ]);
  expect((await api.getProfile(admin)).verified_phone_number).toBeNull();
  expect(await verify(admin, data[0]?.code)).toEqual({});
  expect(await api.getProfile(admin)).toEqual({ ...before, verified_phone_number: "+15555550123" });
});

test("a verified number has to be deleted before another can be verified", async () => {
  const world = await start();
  const { admin } = world;
  await api.sendPhoneCode(admin, { body: american });
  const [code] = await codesSent(world);
  await verify(admin, code);
  expect(await failure(api.sendPhoneCode(admin, { body: german }))).toEqual([
    400,
    "phone_number: The user already has a verified number and has to delete it first",
  ]);
  expect(await failure(verify(admin, code))).toEqual([400, noCode]);
  expect(await api.deletePhoneNumber(admin)).toEqual({});
  expect((await api.getProfile(admin)).verified_phone_number).toBeNull();
  await api.sendPhoneCode(admin, { body: german });
  await verify(admin, (await codesSent(world))[0]);
  expect((await api.getProfile(admin)).verified_phone_number).toBe("+4930123456");
});

test("the same number gets the same code again within ten minutes, with an unchanged expiry", async () => {
  const world = await start();
  const { admin, advance } = world;
  await api.sendPhoneCode(admin, { body: american });
  await advance("PT9M55S");
  await api.sendPhoneCode(admin, { body: { iso_code: "us", phone_number: "+1 (555) 555.0123" } });
  const [again, first] = await codesSent(world);
  expect(again).toBe(first);
  await advance("PT5S");
  expect(await failure(verify(admin, first))).toEqual([400, noCode]);
  await api.sendPhoneCode(admin, { body: american });
  expect(await codesSent(world)).toHaveLength(3);
  await verify(admin, (await codesSent(world))[0]);
});

test("a code is valid until just before ten minutes are over", async () => {
  const world = await start();
  await api.sendPhoneCode(world.admin, { body: american });
  await world.advance("PT9M55S");
  await verify(world.admin, (await codesSent(world))[0]);
});

test("another number gets another code, which replaces the first", async () => {
  const world = await start();
  const { admin } = world;
  await api.sendPhoneCode(admin, { body: american });
  await api.sendPhoneCode(admin, { body: german });
  const [second, first] = await codesSent(world);
  // The codes are equal once in a million times.
  if (first !== second) expect(await failure(verify(admin, first))).toEqual([400, wrongCode]);
  await verify(admin, second);
  expect((await api.getProfile(admin)).verified_phone_number).toBe("+4930123456");
});

test("a code is valid only for the user who requested it", async () => {
  const world = await start();
  const eve = await world.user("eve");
  await api.sendPhoneCode(world.admin, { body: american });
  const [code = ""] = await codesSent(world);
  expect(await failure(verify(eve, code))).toEqual([400, noCode]);
  await api.sendPhoneCode(eve, { body: german });
  const [own] = await codesSent(world);
  if (own !== code) expect(await failure(verify(eve, code))).toEqual([400, wrongCode]);
  await verify(world.admin, code);
  expect((await api.getProfile(eve)).verified_phone_number).toBeNull();
});

test("a wrong code is rejected, and the right one stays valid", async () => {
  const world = await start();
  await api.sendPhoneCode(world.admin, { body: american });
  const [code = ""] = await codesSent(world);
  const wrong = code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`;
  expect(await failure(verify(world.admin, wrong))).toEqual([400, wrongCode]);
  await verify(world.admin, code);
});

test("deleting succeeds without a number, and invalidates a code", async () => {
  const world = await start();
  expect(await api.deletePhoneNumber(world.admin)).toEqual({});
  await api.sendPhoneCode(world.admin, { body: american });
  await api.deletePhoneNumber(world.admin);
  expect(await failure(verify(world.admin, (await codesSent(world))[0]))).toEqual([400, noCode]);
});

test("rejects unknown countries and impossible numbers", async () => {
  const { admin, controls: client } = await start();
  const sent = (iso_code: string, phone_number: string): Promise<unknown> =>
    failure(api.sendPhoneCode(admin, { body: { iso_code, phone_number } }));
  expect(await sent("ZZ", "555-555-0123")).toEqual([400, "iso_code: No country has this code"]);
  const unfit = [400, "phone_number: The number cannot be a number of this country"];
  expect(await sent("US", "+4930123456")).toEqual(unfit);
  expect(await sent("US", "555-555-012")).toEqual(unfit);
  expect(await sent("US", "555-555-01234")).toEqual(unfit);
  expect(await sent("DE", "0123456789012345678")).toEqual(unfit);
  expect(await sent("DE", "030 1234567890123")).toEqual(unfit);
  expect(await sent("USA", "555-555-0123")).toMatchObject([400, expect.stringMatching(/^iso_code: /)]);
  expect(await sent("US", "call me")).toMatchObject([400, expect.stringMatching(/^phone_number: /)]);
  expect((await controls.listMessages(client, {})).data).toEqual([]);
});

const american = { iso_code: "US", phone_number: "555-555-0123" };
const german = { iso_code: "DE", phone_number: "030 123456" };
const noCode = "otp_code: The user has asked for no code, or the code has expired";
const wrongCode = "otp_code: This is not the code that was sent for this user";
const sixDigits: unknown = expect.stringMatching(/^[0-9]{6}$/);
const aTime: unknown = expect.stringMatching(/Z$/);

function verify(client: api.Client, otp_code = ""): Promise<unknown> {
  return Promise.resolve(api.verifyPhoneNumber(client, { body: { otp_code } }));
}

/** Newest first. */
async function codesSent(world: World): Promise<string[]> {
  return (await controls.listMessages(world.controls, {})).data.map(({ code }) => code);
}
