import * as api from "@cloud-compute/client";
import { isApiError } from "@cloud-compute/client";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../src/store/postgres.support.js";
import { proxyTo } from "./support/proxy.js";
import { run } from "./support/program.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.close());

const until = { timeout: 20_000, interval: 20 };

test("the loss of PostgreSQL is logged once without any request, and once for each request, which is a 503", async () => {
  const proxy = await proxyTo(await postgres.database());
  const program = await run(["--database-url", proxy.url, "--data", ":memory:", "--log", "info"]);
  const logged = (message: string): number => program.log().split(`"msg":"${message}`).length - 1;
  proxy.cut();
  await vi.waitUntil(() => logged("the store cannot be used") === 1, until);
  for (let index = 0; index < 3; index += 1) expect(await statusOf(api.listTags(program.admin))).toBe(503);
  const requests = /"operation":"listTags","msg":"the database cannot be used now"/g;
  await vi.waitUntil(() => program.log().match(requests)?.length === 3, until);
  await proxy.restore();
  await vi.waitUntil(() => logged("the store can be used again") === 1, until);
  expect(await statusOf(api.listTags(program.admin))).toBe(200);
  expect(logged("the store cannot be used")).toBe(1);
});

test("a database that fails while rates are counted makes a 503", async () => {
  const url = await postgres.database();
  const program = await run(["--database-url", url, "--data", ":memory:"]);
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin; lock table rate_hits in access exclusive mode");
  const body = { region: "us-east", type: "g6-nanode-1" };
  const created = statusOf(api.createInstance(program.admin, { body }));
  const ended =
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await vi.waitUntil(async () => (await other.query(ended)).rowCount === 1, until);
  expect(await created, program.log()).toBe(503);
  await other.query("rollback");
  expect(await statusOf(api.createInstance(program.admin, { body }))).toBe(200);
});

function statusOf(call: PromiseLike<unknown>): Promise<number> {
  return Promise.resolve(call).then(
    () => 200,
    (error: unknown) => {
      if (!isApiError(error)) throw error;
      return error.status ?? 0;
    },
  );
}
