import * as api from "@cloud-compute/client";
import { Secret, TOTP } from "otpauth";
import * as controls from "../../../src/testing/index.js";
import type { Act, Walk } from "./walk.js";

/** Actions of people on their own profile, and on objects that belong to it. */
export const profile: readonly Act[] = [
  async (walk) => {
    const ownProfile = await walk.ask(api.getProfile, {});
    await walk.ask(api.getGrants, {});
    if (ownProfile === undefined) return;
    const timezone = walk.random.one(["UTC", "Europe/Berlin"]);
    const body = walk.random.one([{ timezone }, { email_notifications: walk.chance(50) }, { two_factor_auth: false }]);
    await walk.ask(api.updateProfile, { body });
  },
  oneOf(api.listApps, async (walk, appId) => {
    await walk.ask(api.getApp, { path: { appId } });
    if (walk.chance(50)) await walk.ask(api.deleteApp, { path: { appId } });
  }),
  oneOf(api.listDevices, async (walk, deviceId) => {
    await walk.ask(api.getDevice, { path: { deviceId } });
    if (walk.chance(50)) await walk.ask(api.deleteDevice, { path: { deviceId } });
  }),
  oneOf(api.listLogins, (walk, loginId) => walk.ask(api.getLogin, { path: { loginId } })),
  phone,
  phone,
  async (walk) => {
    await walk.ask(api.getPreferences, {});
    await walk.ask(api.updatePreferences, { body: { theme: walk.random.one(["dark", "light"]) } });
  },
  async (walk) => {
    const listed = await walk.ask(api.listSecurityQuestions, {});
    const first = walk.random.below(4);
    const three = (listed?.security_questions ?? []).slice(first, first + 3);
    const security_questions = three.map(({ id }) => ({
      question_id: id,
      response: `answer ${walk.random.below(99)}`,
    }));
    await walk.ask(api.answerSecurityQuestions, { body: { security_questions } });
  },
  twoFactor,
  twoFactor,
  async (walk) => {
    const { results = most } = (await walk.ask(api.listSSHKeys, {})) ?? {};
    if (results < most) await walk.ask(api.createSSHKey, { body: { label: "a key", ssh_key: sshKey } });
  },
  oneOf(api.listSSHKeys, async (walk, sshKeyId) => {
    const path = { sshKeyId };
    await walk.ask(api.getSSHKey, { path });
    await walk.ask(api.updateSSHKey, { path, body: { label: `key ${walk.random.below(99)}` } });
    if (walk.chance(50)) await walk.ask(api.deleteSSHKey, { path });
  }),
  async (walk) => {
    const { results = most } = (await walk.ask(api.listTokens, {})) ?? {};
    if (results >= most) return;
    const clock = await walk.control(controls.getClock, {});
    if (clock === undefined) return;
    const expiry = new Date(Date.parse(clock.now) + 3_600_000).toISOString();
    const body = { label: "a token", scopes: "domains:read_only", ...(walk.chance(50) ? { expiry } : {}) };
    await walk.ask(api.createToken, { body });
  },
  // Their own token may be among them.
  oneOf(api.listTokens, async (walk, tokenId) => {
    const path = { tokenId };
    await walk.ask(api.getToken, { path });
    await walk.ask(api.updateToken, { path, body: { label: `token ${walk.random.below(99)}` } });
    if (walk.chance(60)) await walk.ask(api.deleteToken, { path });
  }),
  oneOf(api.listEvents, (walk, eventId) => walk.ask(api.getEvent, { path: { eventId } })),
  async (walk) => {
    const filter = walk.random.one([{ action: "compute_create" }, { "entity.type": "domain" }, { label: "no field" }]);
    await walk.ask(api.listEvents, { headers: { "X-Filter": filter } });
  },
];

const most = 12;

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL5Fm5R8Jb3dRvVx1T8QZ8u9kJm0u4m3rjJrZ8QH6m2B test";

type Listing = (
  client: api.Client,
  request: { readonly query?: { readonly page_size?: number } },
) => PromiseLike<{ readonly data: readonly { readonly id: number }[] }>;

/** An action on one item of a list. */
function oneOf(list: Listing, act: (walk: Walk, id: number) => Promise<unknown>): Act {
  return async (walk) => {
    const { data = [] } = (await walk.ask(list, { query: { page_size: 500 } })) ?? {};
    const one = walk.some(data);
    if (one !== undefined) await act(walk, one.id);
  };
}

async function phone(walk: Walk): Promise<void> {
  const number = `+1212555${1000 + walk.random.below(9)}`;
  await walk.ask(api.sendPhoneCode, { body: { iso_code: "US", phone_number: number } });
  if (walk.chance(70)) {
    const { data = [] } = (await walk.control(controls.listMessages, { query: { to: number } })) ?? {};
    const otp_code = walk.chance(80) ? (data[0]?.code ?? "000000") : "123456";
    await walk.ask(api.verifyPhoneNumber, { body: { otp_code } });
  }
  if (walk.chance(50)) await walk.ask(api.deletePhoneNumber, {});
}

async function twoFactor(walk: Walk): Promise<void> {
  const { person } = walk;
  const enabled = await walk.ask(api.enableTwoFactor, {});
  if (enabled !== undefined) person.secret = enabled.secret;
  const clock = await walk.control(controls.getClock, {});
  if (person.secret !== undefined && clock !== undefined) {
    const totp = new TOTP({ secret: Secret.fromBase32(person.secret), algorithm: "SHA1", digits: 6, period: 30 });
    const tfa_code = walk.chance(80) ? totp.generate({ timestamp: Date.parse(clock.now) }) : "123456";
    await walk.ask(api.confirmTwoFactor, { body: { tfa_code } });
  }
  if (walk.chance(60)) await walk.ask(api.disableTwoFactor, {});
}
