import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("a token is returned in full once, acts for its user, and is renamed and revoked", async () => {
  const { admin, as } = await start();
  const made = await api.createToken(admin, {
    body: { label: "deploy", scopes: "account:read_only,domains:read_write" },
  });
  expect(made).toEqual({
    id: 2,
    label: "deploy",
    scopes: "account:read_only,domains:read_write",
    created: expect.stringMatching(/Z$/),
    expiry: null,
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const response = { ...made, token: made.token.slice(0, 16) };
  const deploy = as(made.token);
  expect(await api.getToken(deploy, { path: { tokenId: 2 } })).toEqual(response);
  expect((await api.listTokens(deploy)).data).toEqual([
    expect.objectContaining({ id: 1, token: "0123456789abcdef" }),
    response,
  ]);
  expect(await failure(api.listImages(deploy))).toEqual([401, notAuthorized]);
  const renamed = { ...response, label: "deploy 2" };
  expect(await api.updateToken(admin, { path: { tokenId: 2 }, body: { ...response, label: "deploy 2" } })).toEqual(
    renamed,
  );
  expect(await api.updateToken(admin, { path: { tokenId: 2 }, body: renamed })).toEqual(renamed);
  expect(await api.deleteToken(admin, { path: { tokenId: 2 } })).toEqual({});
  expect(await failure(api.listTokens(deploy))).toEqual([401, "Invalid Token"]);
  expect(await failure(api.getToken(admin, { path: { tokenId: 2 } }))).toEqual([404, "Not found"]);
  const { data } = await api.listEvents(admin);
  expect(
    data.map(({ action, entity, username }) => [action, entity?.type, entity?.id, entity?.label, username]),
  ).toEqual([
    ["token_create", "token", 2, "deploy", "admin"],
    ["token_update", "token", 2, "deploy 2", "admin"],
    ["token_delete", "token", 2, "deploy 2", "admin"],
  ]);
});

test("a token defaults to the scopes of its creator's token, a label, and no expiry", async () => {
  const { user, as } = await start();
  const eve = await user("eve", { scopes: "account:read_write" });
  const made = await api.createToken(eve, { body: {} });
  expect(made).toMatchObject({ label: `token${made.id}`, scopes: "account:read_write", expiry: null });
  expect((await api.createToken(eve, { body: { expiry: null } })).expiry).toBeNull();
  expect(await failure(api.listDomains(as(made.token)))).toEqual([401, notAuthorized]);
});

test("a token cannot exceed the scopes of its creator's token", async () => {
  const { admin, user } = await start();
  const eve = await user("eve", { scopes: "account:read_write,domains:read_only" });
  const scoped = (scopes: string): PromiseLike<api.Token> => api.createToken(eve, { body: { scopes } });
  const exceeds = [400, "scopes: The token would have scopes that the token of the request lacks"];
  expect(await failure(scoped("*"))).toEqual(exceeds);
  expect(await failure(scoped("domains:read_write"))).toEqual(exceeds);
  expect(await failure(scoped("account:read_only,images:read_only"))).toEqual(exceeds);
  expect((await scoped("account:read_only,domains:read_only")).scopes).toBe("account:read_only,domains:read_only");
  expect((await scoped("account:read_write,domains:read_only")).scopes).toBe("account:read_write,domains:read_only");
  expect(await failure(api.createToken(admin, { body: { scopes: "domains" } }))).toEqual([
    400,
    "scopes: must be scopes such as account:read_only, or *",
  ]);
  expect(await failure(api.createToken(admin, { body: { scopes: "domains:read_only," } }))).toMatchObject([
    400,
    expect.stringMatching(/^scopes: /),
  ]);
});

test("a token is valid until its expiry, and listed after it", async () => {
  const { admin, as, advance, controls: client } = await start();
  const now = Date.parse((await controls.getClock(client)).now);
  const expiry = new Date(now + 60_000).toISOString().replace(".000", "");
  const made = await api.createToken(admin, { body: { expiry } });
  expect(made.expiry).toBe(expiry);
  await advance("PT55S");
  expect((await api.listTokens(as(made.token))).results).toBe(2);
  await advance("PT5S");
  expect(await failure(api.listTokens(as(made.token)))).toEqual([401, "Invalid Token"]);
  expect((await api.listTokens(admin)).data.map(({ id }) => id)).toEqual([1, made.id]);
  expect(await api.getToken(admin, { path: { tokenId: made.id } })).toMatchObject({ expiry });
  expect(
    await api.updateToken(admin, { path: { tokenId: made.id }, body: { label: "old", expiry: null } as never }),
  ).toMatchObject({ label: "old", expiry });
  await api.deleteToken(admin, { path: { tokenId: made.id } });
  expect((await api.listTokens(admin)).results).toBe(1);
});

test("an expiry is in the future, in any zone, and in UTC without one", async () => {
  const { admin, controls: client } = await start();
  const now = Date.parse((await controls.getClock(client)).now);
  const until = async (expiry: string): Promise<string | null> =>
    (await api.createToken(admin, { body: { expiry } })).expiry;
  const passed = [400, "expiry: The expiry is not in the future"];
  expect(await failure(until(new Date(now).toISOString()))).toEqual(passed);
  expect(await failure(until("2001-01-01T00:00:00"))).toEqual(passed);
  const soon = new Date(now + 10_000).toISOString().slice(0, 19);
  expect(await until(`${soon}Z`)).toBe(`${soon}Z`);
  expect(await until("2999-12-12T05:00:00")).toBe("2999-12-12T05:00:00Z");
  expect(await until("2999-12-12T05:00:00.75+02:00")).toBe("2999-12-12T03:00:00Z");
  expect(await until("2998-12-31T23:59:60Z")).toBe("2999-01-01T00:00:00Z");
  expect(await failure(until("tomorrow"))).toMatchObject([400, expect.stringMatching(/^expiry: /)]);
});

test("a caller can revoke the token of the request, which is invalid then", async () => {
  const { user } = await start();
  const eve = await user("eve");
  const [own] = (await api.listTokens(eve)).data;
  expect(await api.deleteToken(eve, { path: { tokenId: own?.id ?? 0 } })).toEqual({});
  expect(await failure(api.listTokens(eve))).toEqual([401, "Invalid Token"]);
});

test("a label has 1 to 100 characters", async () => {
  const { admin } = await start();
  const labelled = (label: string): PromiseLike<api.Token> => api.createToken(admin, { body: { label } });
  const rejected = [400, "label: must be 1 to 100 characters"];
  expect(await failure(labelled(""))).toEqual(rejected);
  expect(await failure(labelled("x".repeat(101)))).toEqual(rejected);
  const { id } = await labelled("x".repeat(100));
  const renamed = (label: string): PromiseLike<api.Token> =>
    api.updateToken(admin, { path: { tokenId: id }, body: { label } });
  expect(await failure(renamed(""))).toEqual(rejected);
  expect(await failure(renamed("x".repeat(101)))).toEqual(rejected);
  expect((await renamed("x")).label).toBe("x");
});

test("a user sees only their own tokens, without those of apps", async () => {
  const { admin, user, controls: client } = await start();
  const eve = await user("eve");
  await controls.createApp(client, { body: { label: "editor", scopes: "*" } });
  expect((await api.listTokens(admin)).data.map(({ id }) => id)).toEqual([1]);
  for (const tokenId of [2, 3, 4]) {
    const path = { tokenId };
    expect(await failure(api.getToken(admin, { path }))).toEqual([404, "Not found"]);
    expect(await failure(api.updateToken(admin, { path, body: { label: "mine" } }))).toEqual([404, "Not found"]);
    expect(await failure(api.deleteToken(admin, { path }))).toEqual([404, "Not found"]);
  }
  expect((await api.listTokens(eve)).results).toBe(1);
});

test("tokens can be filtered by label and by creation time", async () => {
  const { admin } = await start();
  for (const label of ["one", "two", "three"]) await api.createToken(admin, { body: { label } });
  const labels = async (filter: api.ListTokensFilter): Promise<string[]> =>
    (await api.listTokens(admin, { headers: { "X-Filter": filter } })).data.map(({ label }) => label);
  expect(await labels({ label: "two" })).toEqual(["two"]);
  expect(await labels({ label: { "+contains": "e" }, "+order_by": "label", "+order": "desc" })).toEqual([
    "three",
    "one",
  ]);
  expect(await labels({ created: { "+gt": "2999-01-01T00:00:00" } })).toEqual([]);
  // @ts-expect-error -- the list has no such filter
  expect(await failure(labels({ scopes: "*" }))).toEqual([400, "X-Filter: Cannot filter on scopes"]);
});

const notAuthorized = "Your OAuth token is not authorized to use this endpoint.";

test("a label may hold any character, and be filtered by", async () => {
  const { admin } = await start();
  const label = "Ü\0\u2028\u{1F600}";
  expect((await api.createToken(admin, { body: { label } })).label).toBe(label);
  for (const fits of [label, { "+contains": "ü\0" }])
    expect((await api.listTokens(admin, { headers: { "X-Filter": { label: fits } } })).results).toBe(1);
  await api.updatePreferences(admin, { body: { "\0": "\0" } });
  expect(await api.getPreferences(admin)).toEqual({ "\0": "\0" });
});
