import * as api from "@cloud-compute/client";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../src/store/postgres.support.js";
import * as controls from "../src/testing/index.js";
import { adminAddressOf } from "./support/admin-address.js";
import { run } from "./support/program.js";
import { statusOf } from "./support/status.js";

test("requests beyond a full pool get 503 within its deadline, and the service recovers", async () => {
  const url = await sharedPostgres().database();
  const options = ["--data", ":memory:", "--database-connections", "2", "--log", "info", "--admin-port", "0"];
  const program = await run(["--database-url", url, ...options]);
  const at = await adminAddressOf(program);
  const tokens: string[] = [];
  for (const account of ["one", "two"]) {
    await controls.createUser(program.controls, { body: { username: account, account } });
    const made = await controls.createUserToken(program.controls, { path: { username: account }, body: {} });
    tokens.push(made.token);
  }
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin; select 1 from accounts for update");

  // Each takes a connection, and waits for the lock of its account.
  const locked = tokens.map((token) => statusOf(api.createTag(program.as(token), { body: { label: "waits" } })));
  const metrics = async (): Promise<string> => (await fetch(`${at}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^cloud_compute_database_connections{state="waiting"} [1-9]/m);
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const beyond = Promise.all(Array.from({ length: 20 }, () => fetch(`${program.url}/tags`, { headers })));
  const ready = await fetch(`${at}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { store: "does not answer" } }]);
  const responses = await beyond;
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(responses.map((each) => each.headers.get("retry-after")))).toEqual(new Set(["5"]));

  await other.query("rollback");
  expect(await Promise.all(locked)).toEqual([200, 200]);
  expect(await statusOf(api.listTags(program.as(tokens[0] ?? "")))).toBe(200);
  await expect.poll(async () => (await fetch(`${at}/readyz`)).status).toBe(200);
  expect(await metrics()).toMatch(/^cloud_compute_database_connections{state="waiting"} 0/m);
  expect(await program.end("SIGTERM")).toBe(0);
});
