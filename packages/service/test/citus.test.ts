import { exec } from "node:child_process";
import { promisify } from "node:util";
import { isApiError, type Client } from "@cloud-compute/client";
import { expect, test } from "vitest";
import { ask } from "../src/store/citus.support.js";
import * as controls from "../src/testing/index.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { newLedger } from "./support/ledger.js";
import { compared, work, type User } from "./support/load.js";
import { run } from "./support/program.js";
import { randomFrom } from "./support/random.js";
import { onPostgres } from "./support/stores.js";

const accounts = ["one", "two", "three", "four"];

/** Acknowledged writes of each account before, between and after what happens. */
const writes = 10;

test("a shard moves to another server and back under load: no acknowledged write is lost, and failures are 503", async () => {
  await underLoad(async (url, { isWriting }) => {
    for (let time = 0; time < 2; time += 1) {
      await moveShardOf("one", url);
      await isWriting();
    }
  });
});

const { CITUS_WORKER_STOP: stop = "", CITUS_WORKER_START: restart = "" } = process.env;

test.skipIf(stop === "" || restart === "")(
  "a worker stops and starts under load: no acknowledged write is lost, and failures are 503",
  async () => {
    await underLoad(async (url, { failures }) => {
      await promisify(exec)(stop);
      await expect.poll(() => failures.length).toBeGreaterThan(0);
      await promisify(exec)(restart);
      // Citus does it by itself each minute: it commits or rolls back what the stop has left prepared.
      await ask(url, "select recover_prepared_transactions()");
    });
  },
);

interface Load {
  /** Resolves after more acknowledged writes of each account. */
  readonly isWriting: () => Promise<unknown>;
  readonly failures: readonly unknown[];
}

/** Writes for several accounts while something happens, and compares afterwards. */
async function underLoad(happens: (url: string, load: Load) => Promise<void>): Promise<void> {
  const place = await onPostgres();
  const [, url = ""] = place.args;
  const program = await run([...place.args, "--pace", "200"]);
  const users = await Promise.all(accounts.map((account) => userOf(program, account)));
  const ledgers = users.map(() => newLedger());
  const failures: unknown[] = [];
  let isOver = false;
  const load = Promise.all(
    users.map((user, index) =>
      work(user, ledgers[index] ?? newLedger(), {
        random: randomFrom(index),
        name: accounts[index] ?? "",
        onFailure: (error) => failures.push(isApiError(error) ? error.status : error),
        isOver: () => isOver,
      }),
    ),
  );
  const isWriting = (): Promise<unknown> => Promise.all(ledgers.map((ledger) => ledger.acknowledges(writes)));
  try {
    await isWriting();
    await happens(url, { isWriting, failures });
    await isWriting();
  } finally {
    isOver = true;
    await load;
  }
  expect(
    failures.filter((each) => each !== 503),
    program.log(),
  ).toEqual([]);
  for (const [index, ledger] of ledgers.entries())
    expect(await compared(users[index] as User, ledger), accounts[index]).toEqual([]);
  await controls.settle(program.controls);
  expect(await program.end("SIGTERM")).toBe(0);
  const store = await place.open();
  expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
  expect(await store.survey(Date.now(), unsettled)).toEqual([]);
  await store.close();
}

async function userOf(program: User & { readonly as: (token: string) => Client }, account: string): Promise<User> {
  await controls.createUser(program.controls, { body: { username: account, account } });
  const { token } = await controls.createUserToken(program.controls, { path: { username: account }, body: {} });
  return { admin: program.as(token), controls: program.controls };
}

/** Moves the rows of an account to the other worker, with all accounts of its shard. */
async function moveShardOf(account: string, url: string): Promise<void> {
  const [shard] = await ask(
    url,
    `select shardid, nodename as host, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('accounts', $1::text)`,
    [account],
  );
  const from = [shard?.["host"], shard?.["port"]];
  const [other] = await ask(
    url,
    `select node_name as host, node_port as port from citus_get_active_worker_nodes()
      where (node_name, node_port) <> ($1::text, $2::int)`,
    from,
  );
  const to = [other?.["host"], other?.["port"]];
  await ask(url, "select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')", [
    shard?.["shardid"],
    ...from,
    ...to,
  ]);
}
