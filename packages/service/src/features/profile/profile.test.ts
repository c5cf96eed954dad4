import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("a new user's profile", async () => {
  const { user } = await start();
  const eve = await user("eve", { restricted: true, scopes: "domains:read_only" });
  expect(await api.getProfile(eve)).toEqual({
    uid: 2,
    username: "eve",
    email: "eve@example.com",
    email_notifications: true,
    timezone: "UTC",
    restricted: true,
    two_factor_auth: false,
    ip_whitelist_enabled: false,
    lish_auth_method: "password_keys",
    authorized_keys: null,
    authentication_type: "password",
    verified_phone_number: null,
    referrals: { code: "", completed: 0, credit: 0, pending: 0, total: 0, url: "" },
  });
});

test("referrals open when the account has paid 25 dollars in all", async () => {
  const { admin, controls: client, user } = await start();
  const other = await user("eve", { account: "other" });
  await controls.createPayment(client, { body: { usd: 20 } });
  await controls.createPayment(client, { body: { usd: 4.99 } });
  expect((await api.getProfile(admin)).referrals).toMatchObject({ code: "", url: "" });
  await controls.createPayment(client, { body: { usd: 0.01 } });
  const { referrals } = await api.getProfile(admin);
  expect(referrals).toEqual({
    code: expect.stringMatching(/^[0-9a-f]{40}$/),
    completed: 0,
    credit: 0,
    pending: 0,
    total: 0,
    url: `https://www.cloud-compute.example/?r=${referrals.code}`,
  });
  expect((await api.getProfile(admin)).referrals).toEqual(referrals);
  expect((await api.getProfile(other)).referrals.code).toBe("");
});

test("an update changes the fields it has, keeps the others, and records an event", async () => {
  const { admin } = await start();
  const before = await api.getProfile(admin);
  const authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJBi9r admin@example.com"];
  const change = {
    authorized_keys,
    email: "someone@example.com",
    email_notifications: false,
    lish_auth_method: "keys_only" as const,
    timezone: "Europe/Berlin",
  };
  const after = await api.updateProfile(admin, { body: change });
  expect(after).toEqual({ ...before, ...change });
  expect(await api.getProfile(admin)).toEqual(after);
  expect((await api.listEvents(admin)).data).toMatchObject([
    {
      action: "profile_update",
      username: "admin",
      status: "notification",
      entity: { id: 1, label: "admin", type: "profile", url: "/v4/profile" },
    },
  ]);
  expect(await api.updateProfile(admin, { body: { timezone: "US/Eastern" } })).toEqual({
    ...after,
    timezone: "US/Eastern",
  });
});

test("only an empty list of keys removes them", async () => {
  const { admin } = await start();
  await api.updateProfile(admin, { body: { authorized_keys: ["ssh-rsa AAAAB3NzaC1yc2E me"] } });
  await api.updateProfile(admin, { body: { email_notifications: false } });
  expect((await api.getProfile(admin)).authorized_keys).toEqual(["ssh-rsa AAAAB3NzaC1yc2E me"]);
  expect((await api.updateProfile(admin, { body: { authorized_keys: [] } })).authorized_keys).toBeNull();
});

test("an update with the values that were read changes nothing", async () => {
  const { admin, user } = await start();
  for (const client of [admin, await user("eve", { restricted: true })]) {
    const read = await api.getProfile(client);
    expect(await api.updateProfile(client, { body: read })).toEqual(read);
  }
  expect((await api.listEvents(admin)).results).toBe(0);
});

test("an update rejects invalid values", async () => {
  const { admin } = await start();
  expect(await failure(api.updateProfile(admin, { body: { ip_whitelist_enabled: true } }))).toEqual([
    400,
    "ip_whitelist_enabled: The IP whitelist cannot be switched on",
  ]);
  expect(await failure(api.updateProfile(admin, { body: { two_factor_auth: true } }))).toEqual([
    400,
    "two_factor_auth: Two-factor authentication is switched on by confirming a code",
  ]);
  expect(await failure(api.updateProfile(admin, { body: { email: "no-address" } }))).toMatchObject([
    400,
    expect.stringMatching(/^email: /),
  ]);
  expect(await failure(api.updateProfile(admin, { body: { timezone: "x".repeat(65) } }))).toMatchObject([
    400,
    expect.stringMatching(/^timezone: /),
  ]);
  expect((await api.updateProfile(admin, { body: { timezone: "x".repeat(64) } })).timezone).toBe("x".repeat(64));
});

test("a user can restrict themselves, but cannot lift the restriction", async () => {
  const { user } = await start();
  const rejected = [403, "The user lacks a grant, or would have to be unrestricted"];
  const eve = await user("eve", { restricted: true });
  expect(await failure(api.updateProfile(eve, { body: { restricted: false } }))).toEqual(rejected);
  expect((await api.updateProfile(eve, { body: { restricted: true } })).restricted).toBe(true);
  const bob = await user("bob");
  expect((await api.updateProfile(bob, { body: { restricted: true } })).restricted).toBe(true);
  expect(await failure(api.updateProfile(bob, { body: { restricted: false } }))).toEqual(rejected);
});

test("an update requires account:read_write", async () => {
  const { user } = await start();
  const eve = await user("eve", { scopes: "account:read_only" });
  expect(await failure(api.updateProfile(eve, { body: { timezone: "UTC" } }))).toEqual([
    401,
    "Your OAuth token is not authorized to use this endpoint.",
  ]);
});
