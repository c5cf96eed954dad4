import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("a login is listed for 90 days", async () => {
  const { admin, advance, controls: client } = await start();
  const { id } = await controls.createLogin(client, { body: { ip: "192.0.2.7" } });
  const login = await api.getLogin(admin, { path: { loginId: id } });
  expect(login).toEqual({
    id,
    datetime: expect.stringMatching(/Z$/),
    ip: "192.0.2.7",
    restricted: false,
    username: "admin",
  });
  expect(await api.listLogins(admin)).toEqual({ data: [login], page: 1, pages: 1, results: 1 });
  await advance("P89DT23H59M50S");
  expect((await api.listLogins(admin)).data).toEqual([login]);
  expect(await api.getLogin(admin, { path: { loginId: id } })).toEqual(login);
  await advance("PT10S");
  expect((await api.listLogins(admin)).results).toBe(0);
  expect(await failure(api.getLogin(admin, { path: { loginId: id } }))).toEqual([404, "Not found"]);
});

test("only logins of the last 90 days are counted", async () => {
  const { admin, controls: client } = await start();
  const now = Date.parse((await controls.getClock(client)).now);
  for (const days of [91, 89, 1]) {
    const datetime = new Date(now - days * 86_400_000).toISOString();
    await controls.createLogin(client, { body: { ip: "192.0.2.7", datetime } });
  }
  const { data, results } = await api.listLogins(admin);
  expect([results, data.map(({ id }) => id)]).toEqual([2, [2, 3]]);
});

test("a user sees only their own logins, which record whether the user was restricted", async () => {
  const { admin, user, controls: client } = await start();
  const eve = await user("eve", { restricted: true });
  const { id } = await controls.createLogin(client, { body: { ip: "2001:db8::1", username: "eve" } });
  expect(await api.getLogin(eve, { path: { loginId: id } })).toMatchObject({ username: "eve", restricted: true });
  expect((await api.listLogins(admin)).results).toBe(0);
  expect(await failure(api.getLogin(admin, { path: { loginId: id } }))).toEqual([404, "Not found"]);
});

test("using a token does not count as a login", async () => {
  const { admin } = await start();
  await api.getProfile(admin);
  expect((await api.listLogins(admin)).results).toBe(0);
});
