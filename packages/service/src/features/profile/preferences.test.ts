import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("new preferences replace the old ones, nulls included", async () => {
  const { admin } = await start();
  expect(await api.getPreferences(admin)).toEqual({});
  const first = { theme: "dark", columns: ["label", { wide: true }], last_seen: null };
  expect(await api.updatePreferences(admin, { body: first })).toEqual(first);
  expect(await api.getPreferences(admin)).toEqual(first);
  await api.updatePreferences(admin, { body: { sort: 1 } });
  expect(await api.getPreferences(admin)).toEqual({ sort: 1 });
  await api.updatePreferences(admin, { body: {} });
  expect(await api.getPreferences(admin)).toEqual({});
});

test("each client has its own preferences for each user, and personal tokens share theirs", async () => {
  const { admin, as, user, controls: client } = await start();
  const eve = await user("eve");
  const tokenOf = async (username: string, of?: string): Promise<api.Client> => {
    const body = of === undefined ? {} : { client: of };
    return as((await controls.createUserToken(client, { path: { username }, body })).token);
  };
  await api.updatePreferences(admin, { body: { of: "personal" } });
  await api.updatePreferences(await tokenOf("admin", "dashboard"), { body: { of: "dashboard" } });
  const app = as((await controls.createApp(client, { body: { label: "editor", scopes: "*" } })).token);
  expect(await api.getPreferences(app)).toEqual({});
  expect(await api.getPreferences(await tokenOf("admin"))).toEqual({ of: "personal" });
  expect(await api.getPreferences(await tokenOf("admin", "dashboard"))).toEqual({ of: "dashboard" });
  expect(await api.getPreferences(await tokenOf("eve", "dashboard"))).toEqual({});
  expect(await api.getPreferences(eve)).toEqual({});
  const made = await api.createToken(await tokenOf("admin", "dashboard"), { body: {} });
  expect(await api.getPreferences(as(made.token))).toEqual({ of: "personal" });
});

test("preferences have at most 65,535 characters of JSON", async () => {
  const { admin } = await start();
  const room = 65_535 - '{"a":""}'.length;
  const ok = { a: "é".repeat(room - 2) + "🦊🦊" };
  expect(await api.updatePreferences(admin, { body: ok })).toEqual(ok);
  expect(await failure(api.updatePreferences(admin, { body: { a: `${ok.a}x` } }))).toEqual([
    400,
    "must be at most 65535 characters as JSON",
  ]);
  expect(await api.getPreferences(admin)).toEqual(ok);
});

test("preferences have to be an object, with any names", async () => {
  const { admin } = await start();
  expect(await failure(api.updatePreferences(admin, { body: [] as never }))).toEqual([400, "must be an object"]);
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"user":"eve"}') as Record<string, unknown>;
  await api.updatePreferences(admin, { body: odd });
  expect(JSON.stringify(await api.getPreferences(admin))).toBe(JSON.stringify(odd));
});
