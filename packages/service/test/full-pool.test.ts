import * as api from "@cloud-compute/client";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../src/store/postgres.support.js";
import * as controls from "../src/testing/index.js";
import { adminAddressOf } from "./support/admin-address.js";
import { run } from "./support/program.js";
import { statusOf } from "./support/status.js";

/** A program with two users, each of an account of its own, and another program that can take locks. */
async function begin(options: readonly string[]) {
  const url = await sharedPostgres().database();
  const program = await run(["--database-url", url, "--data", ":memory:", ...options]);
  const tokenOf = async (account: string): Promise<string> => {
    await controls.createUser(program.controls, { body: { username: account, account } });
    return (await controls.createUserToken(program.controls, { path: { username: account }, body: {} })).token;
  };
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  return { program, one: await tokenOf("one"), two: await tokenOf("two"), other };
}

test("writes that wait for the lock of their account get 503 within its deadline, and other accounts go on", async () => {
  const { program, one, two, other } = await begin(["--log", "info", "--admin-port", "0"]);
  const at = await adminAddressOf(program);
  const lockCount = async (): Promise<number> => {
    const metrics = await (await fetch(`${at}/metrics`)).text();
    return Number(/^cloud_compute_statement_duration_seconds_count{statement="lock"} (\d+)$/m.exec(metrics)?.[1]);
  };
  const before = await lockCount();
  await other.query("begin; select 1 from accounts where account = 'one' for update");
  const create = { method: "POST", headers: { authorization: `Bearer ${one}`, "content-type": "application/json" } };
  // One waits for the lock, and the others behind it.
  const waiting = Array.from({ length: 20 }, (_, index) =>
    fetch(`${program.url}/tags`, { ...create, body: JSON.stringify({ label: `waits ${index}` }) }),
  );
  expect(await statusOf(api.createTag(program.as(two), { body: { label: "free" } }))).toBe(200);
  for (const response of await Promise.all(waiting))
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await lockCount()) - before).toBeLessThan(waiting.length);
  await other.query("rollback");
  expect(await statusOf(api.createTag(program.as(one), { body: { label: "waits 0" } }))).toBe(200);
  expect((await api.listTags(program.as(one))).results).toBe(1);
});

test("requests beyond a full pool get 503 within its deadline, and the service recovers", async () => {
  const options = ["--database-connections", "2", "--log", "info", "--admin-port", "0"];
  const { program, one, two, other } = await begin(options);
  const at = await adminAddressOf(program);
  await other.query("begin; lock table counts in access exclusive mode");

  // Each takes a connection, and waits.
  const locked = [one, two].map((token) => statusOf(api.listTags(program.as(token))));
  const metrics = async (): Promise<string> => (await fetch(`${at}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^cloud_compute_database_connections{state="waiting"} [1-9]/m);
  const headers = { authorization: `Bearer ${one}` };
  const beyond = Promise.all(Array.from({ length: 20 }, () => fetch(`${program.url}/tags`, { headers })));
  const ready = await fetch(`${at}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { store: "does not answer" } }]);
  const responses = await beyond;
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(responses.map((each) => each.headers.get("retry-after")))).toEqual(new Set(["5"]));

  await other.query("rollback");
  expect(await Promise.all(locked)).toEqual([200, 200]);
  expect(await statusOf(api.listTags(program.as(one)))).toBe(200);
  await expect.poll(async () => (await fetch(`${at}/readyz`)).status).toBe(200);
  expect(await metrics()).toMatch(/^cloud_compute_database_connections{state="waiting"} 0/m);
  expect(await program.end("SIGTERM")).toBe(0);
});
