import { Client } from "pg";

/** Shards of a table: a quarter of the default, since each test creates all of them. */
export const shardCount = 8;

/** Creates a database with Citus on the coordinator of a URL and on its workers, since Citus creates it on one server only. Returns its URL. */
export async function createOnAllServers(url: string, name: string): Promise<string> {
  const servers = await serversOf(url);
  for (const server of servers) {
    await ask(server, `create database "${name}"`);
    await ask(within(server, name), "create extension citus");
  }
  const [coordinator = url, ...workers] = servers.map((server) => within(server, name));
  const add = async (role: string, server: string): Promise<unknown> => {
    const { hostname, port } = new URL(server);
    return ask(coordinator, `select ${role}($1, $2)`, [hostname, Number(port)]);
  };
  await add("citus_set_coordinator_host", coordinator);
  for (const worker of workers) await add("citus_add_node", worker);
  await ask(coordinator, `alter database "${name}" set citus.shard_count = ${shardCount}`);
  // Off by default. It counts the statements by the number of their shards.
  await ask(coordinator, `alter database "${name}" set citus.enable_stat_counters = on`);
  return coordinator;
}

/** Drops all databases whose names begin with a prefix. */
export async function dropOnAllServers(url: string, prefix: string): Promise<void> {
  for (const server of await serversOf(url)) {
    const names = await ask(server, "select datname as name from pg_database where starts_with(datname, $1)", [prefix]);
    for (const { name } of names) await ask(server, `drop database "${String(name)}" with (force)`);
  }
}

/** Runs one statement on a server. Returns its rows. */
export async function ask(url: string, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** The URLs of the coordinator, and of its workers, which have the same users. */
async function serversOf(url: string): Promise<readonly string[]> {
  const workers = await ask(url, "select node_name as host, node_port as port from citus_get_active_worker_nodes()");
  return [url, ...workers.map(({ host, port }) => at(url, { hostname: String(host), port: String(port) }))];
}

function within(url: string, database: string): string {
  return at(url, { pathname: `/${database}` });
}

function at(url: string, parts: Partial<Pick<URL, "hostname" | "port" | "pathname">>): string {
  return Object.assign(new URL(url), parts).href;
}
