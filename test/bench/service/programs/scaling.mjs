// scaling.mjs ROWS…: prints as JSON what operations cost on PostgreSQL, whose account has these numbers of instances and events.
import { optionsOf, startService } from "@cloud-compute/service";
import { Client } from "pg";
import { bootstrap } from "./node_modules/@cloud-compute/service/dist/bootstrap.js";
import { openPostgres } from "./node_modules/@cloud-compute/service/dist/store/postgres.js";
import { startPostgres, withClient } from "./postgres.mjs";
import { account, instanceOf, token } from "./rows.mjs";

/** Rows that the service itself writes; the others are copies of them. */
const written = 100;
const now = Date.UTC(2026, 0, 1);

const deployment = {
  region: "us-east",
  type: "g6-standard-2",
  image: "compute/debian12",
  root_pass: "correct Horse 7 battery",
};

const statements = watchStatements();
const postgres = await startPostgres({ countsWaits: true });
try {
  const sizes = {};
  for (const rows of process.argv.slice(2).map(Number)) sizes[rows] = await measureOperations(await filled(rows));
  const waits = {};
  for (const replicas of [1, 2, 4]) {
    const url = await filled(written);
    waits[replicas] = {
      accounts: await measureWaits(url, replicas, (user) => user),
      one: await measureWaits(url, replicas, () => "one"),
    };
  }
  process.stdout.write(JSON.stringify({ sizes, waits }));
} finally {
  await postgres.close();
}

/** A database with rows of one account. Returns its URL. */
async function filled(rows) {
  const url = await postgres.database();
  const store = await openPostgres(url);
  await bootstrap(store, { token, now });
  await store.write({ account, now }, async (tx) => {
    for (let made = 0; made < written; made += 1) {
      const instance = await tx.instances.add(instanceOf(await tx.instances.nextId(), 100 * written));
      await tx.events.add(eventOf(await tx.events.nextId(), instance));
    }
  });
  await store.close();
  await withClient(url, async (client) => {
    for (const table of ["instances", "events"]) await copyRows(client, table, rows / written);
    await client.query("vacuum analyze");
  });
  return url;
}

function eventOf(id, { id: instance, label }) {
  return {
    id,
    account,
    action: "compute_boot",
    created: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    username: "admin",
    status: "finished",
    percent_complete: 100,
    rate: null,
    read: false,
    seen: false,
    time_remaining: null,
    duration: 1,
    message: null,
    secondary_entity: null,
    entity: { id: instance, label, type: "compute", url: `/v4/compute/instances/${instance}` },
  };
}

/** Copies all rows of a table, and what lists them by an item, under new ids. */
async function copyRows(client, table, times) {
  const columns = async (name) => {
    const found = await client.query(
      "select column_name from information_schema.columns where table_name = $1 order by ordinal_position",
      [name],
    );
    return found.rows.map((row) => `"${row.column_name}"`);
  };
  const copy = async (name, changed, where) => {
    const names = await columns(name);
    await client.query(
      `insert into "${name}" (${names.join(", ")}) select ${names.map((each) => changed[each] ?? `r.${each}`).join(", ")}
       from "${name}" r cross join generate_series(1, ${times - 1}) part where ${where}`,
    );
  };
  const id = `r.id + part * ${written}`;
  // Counting row by row would rewrite one counter for each of them.
  await client.query("set session_replication_role = replica");
  await copy(table, { '"id"': id, '"doc"': `jsonb_set(r.doc::jsonb, '{id}', to_jsonb(${id}))::text` }, "true");
  await copy("items", { '"id"': id }, `r.tbl = '${table}'`);
  await client.query(`update counts set n = (select count(*) from "${table}") where tbl = '${table}'`);
  await client.query("set session_replication_role = origin");
  await client.query(`select setval('ids_${table}', (select max(id) from "${table}"))`);
}

/** Statements, and read rows and entries of indexes, by operation. */
async function measureOperations(url) {
  const costs = {};
  const measure = async (name, run) => {
    await flush(url);
    const [read, sent] = [await readRows(url), statements.count()];
    const result = await run();
    const count = statements.count() - sent;
    await flush(url);
    costs[name] = { statements: count, rows: (await readRows(url)) - read };
    return result;
  };
  const service = await measure("start", () => serve(url));
  const call = callerOf(service);
  const list = (filter) => call("GET", "/compute/instances", { filter });
  const { id } = await call("POST", "/compute/instances", { body: { ...deployment, label: "first" } });
  await call("POST", "/clock", { body: { advance: "PT1H" }, at: service.controls });
  // Each kind once before it is measured, so that what a process remembers is known.
  await list();
  await measure("read an instance", () => call("GET", `/compute/instances/${id}`));
  await measure("list instances", () => list());
  await measure("list instances by the label of one", () => list({ label: "first" }));
  await measure("list instances by a tag that 1 % have", () => list({ tags: "production" }));
  await measure("list events", () => call("GET", "/account/events"));
  await measure("change a label", () => call("PUT", `/compute/instances/${id}`, { body: { label: "second" } }));
  await measure("create a tag", () => call("POST", "/tags", { body: { label: "shop", computes: [id] } }));
  await measure("delete a tag", () => call("DELETE", "/tags/shop"));
  const made = await measure("create an instance from an image", () =>
    call("POST", "/compute/instances", { body: { ...deployment, label: "third" } }),
  );
  await measure("complete it", () => call("POST", "/settle", { at: service.controls }));
  await measure("delete an instance", () => call("DELETE", `/compute/instances/${made.id}`));
  await service.close();
  return costs;
}

/** How often creates of eight users wait for a lock that another transaction has. */
async function measureWaits(url, replicas, accountOf) {
  const services = await Promise.all(Array.from({ length: replicas }, () => serve(url)));
  const at = services[0].controls;
  const call = callerOf(services[0]);
  const users = [];
  for (let number = 0; number < 8; number += 1) {
    const username = `user-${number}-of-${accountOf("its-own")}`;
    await call("POST", "/users", { body: { username, account: accountOf(username) }, at });
    users.push(await call("POST", `/users/${username}/tokens`, { body: { scopes: "*" }, at }));
  }
  const before = postgres.waits();
  await Promise.all(
    users.map(async (user, number) => {
      const own = callerOf(services[number % replicas], user.token);
      for (let made = 0; made < 10; made += 1)
        await own("POST", "/compute/instances", { body: { ...deployment, label: `web-${made}` } });
    }),
  );
  const waits = postgres.waits() - before;
  for (const service of services) await service.close();
  return waits;
}

function serve(url) {
  const ports = ["--port", "0", "--controls-port", "0"];
  return startService(optionsOf(["--database-url", url, ...ports, "--log", "error"], { CLOUD_COMPUTE_TOKEN: token }));
}

function callerOf(service, as = token) {
  return async (method, address, { body, filter, at = service.url } = {}) => {
    const response = await fetch(at + address, {
      method,
      headers: {
        authorization: `Bearer ${as}`,
        ...(body && { "content-type": "application/json" }),
        ...(filter && { "x-filter": JSON.stringify(filter) }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** Counts what is sent through `pg`, without the searches for jobs, which run at their own times. */
function watchStatements() {
  let count = 0;
  const clients = new Set();
  const { query } = Client.prototype;
  Client.prototype.query = function (...parameters) {
    if (!clients.has(this)) this.once("end", () => clients.delete(this));
    clients.add(this);
    const text = typeof parameters[0] === "string" ? parameters[0] : (parameters[0]?.text ?? "");
    if (!/ from "?jobs"? .*"?due"?/.test(text) && !text.includes("pg_stat_")) count += 1;
    return query.apply(this, parameters);
  };
  return { count: () => count, clients };
}

/** Lets every connection to a database report what it has read. */
async function flush(url) {
  const { pathname } = new URL(url);
  for (const client of statements.clients)
    if (`/${client.database}` === pathname) await client.query("select pg_stat_force_next_flush()").catch(() => {});
}

async function readRows(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where relname <> 'jobs')
            + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname <> 'jobs') as n`,
    );
    return Number(rows[0].n);
  });
}
