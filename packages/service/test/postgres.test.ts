import * as api from "@cloud-compute/client";
import { isApiError } from "@cloud-compute/client";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { deployment } from "../src/features/instances/instances.support.js";
import { openPostgres } from "../src/store/postgres.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import type { Store } from "../src/store/store.js";
import { start, type World } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";
import { run } from "./support/program.js";
import { proxyTo } from "./support/proxy.js";

const until = { timeout: 240_000, interval: 20 };

test("logs the loss of PostgreSQL once without any request, and once for each request, which gets 503", async () => {
  const proxy = await proxyTo(await sharedPostgres().database());
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

test("responds with 503 if the database fails while it counts rates", async () => {
  const url = await sharedPostgres().database();
  const program = await run(["--database-url", url, "--data", ":memory:"]);
  // Within its transaction, the holder of the lock would see only the connections of its first look.
  const [holder, observer] = [await connected(url), await connected(url)];
  await holder.query("begin; lock table rate_limits in access exclusive mode");
  const body = { region: "us-east", type: "g6-nanode-1" };
  const created = statusOf(api.createInstance(program.admin, { body }));
  const ended =
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await vi.waitUntil(async () => ((await observer.query(ended)).rowCount ?? 0) > 0, until);
  expect(await created, program.log()).toBe(503);
  await holder.query("rollback");
  expect(await statusOf(api.createInstance(program.admin, { body }))).toBe(200);
});

test("writers that wait for their account leave connections to others, on every replica", async () => {
  const url = await sharedPostgres().database();
  const replicas = [await opened(url), await opened(url)] as const;
  for (const account of ["busy", "other"])
    await replicas[0].write({ account, now }, ({ accounts }) =>
      accounts.add({ id: account, total_payments: 0, created: "" }),
    );
  const [begun, gate] = [opening(), opening()];
  const order: number[] = [];
  const holding = replicas[0].write({ account: "busy", now }, async () => {
    begun.open();
    await gate.opened;
  });
  await begun.opened;
  const waiting = Array.from({ length: 80 }, (_, index) =>
    (index % 2 === 0 ? replicas[0] : replicas[1]).write({ account: "busy", now }, async ({ tags }) => {
      order.push(index);
      await tags.add({ account: "busy", label: `tag ${index}` });
    }),
  );
  for (const [index, replica] of replicas.entries()) {
    await replica.write({ account: "other", now }, ({ tags }) => tags.add({ account: "other", label: `tag ${index}` }));
    expect(await replica.survey(now, ({ tags }) => tags.count())).toBe(index + 1);
  }
  gate.open();
  await Promise.all([holding, ...waiting]);
  expect(await replicas[1].survey(now, ({ tags }) => tags.count())).toBe(82);
  // The requests of one replica run in the order of their arrival.
  const firsts = order.filter((index) => index % 2 === 0);
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
});

test("replicas that add one account at the same time add it once, and the later one writes again", async () => {
  const url = await sharedPostgres().database();
  const replicas = [await opened(url), await opened(url)];
  const account = "new";
  const both = opening();
  const runs = [0, 0];
  let adding = 0;
  const join = (replica: Store, index: number) =>
    replica.write({ account, now }, async ({ accounts, tags }) => {
      runs[index] = (runs[index] ?? 0) + 1;
      if ((await accounts.get(account)) === undefined) {
        adding += 1;
        if (adding === 2) both.open();
        await both.opened;
        await accounts.add({ id: account, total_payments: 0, created: "" });
      }
      await tags.add({ account, label: `tag ${index}` });
    });
  await Promise.all(replicas.map(join));
  expect(runs.toSorted((a, b) => a - b)).toEqual([1, 2]);
  const written = replicas[0]?.read({ account, now }, async ({ accounts, tags }) =>
    Promise.all([accounts.count(), tags.count()]),
  );
  expect(await written).toEqual([1, 2]);
});

test("requests that wait to be counted leave connections to others", async () => {
  const url = await sharedPostgres().database();
  const store = await opened(url);
  const other = await connected(url);
  await other.query("begin; lock table rate_limits in access exclusive mode");
  const hit = (): ReturnType<Store["rates"]["consume"]> =>
    store.rates.consume({ key: "busy", max: 30, windowSeconds: 30, now });
  const hits = Array.from({ length: 40 }, async () => hit());
  expect(await store.survey(now, ({ tags }) => tags.count())).toBe(0);
  await other.query("rollback");
  expect((await Promise.all(hits)).filter(({ isAllowed }) => isAllowed)).toHaveLength(30);
});

test.each(["instances", "events"])(
  "a create waits for nothing of another account, whose create has come to its %s",
  async (table) => {
    const url = await sharedPostgres().database();
    const { admin, user, controls: client } = await replicaOn(url);
    const other = await user("other", { account: "another" });
    await controls.hold(client, { body: { hold: true } });
    for (const each of [admin, other]) await api.createInstance(each, { body: deployment });
    const holder = await connected(url);
    await holder.query("begin");
    await holder.query("select n from counts where tbl = $1 and owner = 'bootstrap' for update", [table]);
    const waiting = Promise.resolve(api.createInstance(admin, { body: deployment }));
    await expect.poll(() => waitsIn(holder), until).toBe(1);
    await api.createInstance(other, { body: deployment });
    expect(await waitsIn(holder)).toBe(1);
    await holder.query("rollback");
    expect((await waiting).status).toBe("provisioning");
  },
);

test("two replicas run the jobs of two accounts at the same time", async () => {
  const url = await sharedPostgres().database();
  const first = await replicaOn(url);
  await replicaOn(url);
  const other = await first.user("other", { account: "another" });
  const { id: held } = await api.createInstance(first.admin, { body: deployment });
  const holder = await connected(url);
  await holder.query("begin");
  await holder.query("select id from instances where account = 'bootstrap' for update");
  const { id: free } = await api.createInstance(other, { body: deployment });
  const advancing = first.advance("PT1H");
  const status = async (as: World["admin"], computeId: number) =>
    (await api.getInstance(as, { path: { computeId } })).status;
  // The job of the first account is the earlier one, and is in the middle of its transaction.
  await expect.poll(() => status(other, free), until).toBe("running");
  expect(await status(first.admin, held)).toBe("provisioning");
  await holder.query("rollback");
  await advancing;
  expect(await status(first.admin, held)).toBe("running");
});

function replicaOn(url: string): Promise<World> {
  return start(["--database-url", url, "--data", ":memory:"]);
}

/** How many locks of a database are waited for now. */
async function waitsIn(client: Client): Promise<number> {
  const { rows } = await client.query<{ readonly waits: number }>(
    "select count(*)::int as waits from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted",
  );
  return rows[0]?.waits ?? 0;
}

const now = Date.UTC(2030, 0, 1);

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function opened(url: string): Promise<Store> {
  const store = await openPostgres(url);
  onTestFinished(() => store.close());
  return store;
}

function opening(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const wait = new Promise<void>((resolve) => (open = resolve));
  return { opened: wait, open: () => open() };
}

function statusOf(call: PromiseLike<unknown>): Promise<number> {
  return Promise.resolve(call).then(
    () => 200,
    (error: unknown) => {
      if (!isApiError(error)) throw error;
      return error.status ?? 0;
    },
  );
}
