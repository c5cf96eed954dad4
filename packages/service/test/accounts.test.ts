import { gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite } from "@plumbline/conformance-runtime";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrate, partitionKeyOf } from "../src/store/migrations.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { storedTables } from "../src/store/tables.js";
import { start, type World } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";
import { useEverything } from "./support/everything.js";
import { isFull } from "./support/form.js";

/** Statements that reach several accounts, by their texts. There are no other reasons than these. */
const exceptions: readonly (readonly [text: RegExp, reason: string])[] = [
  [/^select account \|\| '' from jobs /, "accounts with due jobs"],
  [/^select doc from jobs where .*order by due, id limit 1$/, "the time of the next job"],
  [/^delete from "\w+"$/, "a test control: the reset"],
  [/^select doc from "(messages|instances|stackscripts)" where/, "a test control: those that name no account"],
];

const partitions = 4;

/** The statements of all clients of PostgreSQL from now on, each with its first parameters. */
function watchStatements(): ReadonlyMap<string, readonly unknown[]> {
  const statements = new Map<string, readonly unknown[]>();
  const { prototype } = Client;
  const { query } = prototype;
  prototype.query = function (this: Client, ...given: readonly unknown[]) {
    const [config, values = []] = given as [string | { text: string; values?: unknown[] }, unknown[]?];
    const { text, values: parameters = values } = typeof config === "string" ? { text: config } : config;
    if (/^\s*(select|insert|update|delete|with)\b/.test(text) && !statements.has(text))
      statements.set(text, parameters);
    return query.apply(this, given as never);
  } as typeof query;
  onTestFinished(() => {
    prototype.query = query;
  });
  return statements;
}

/** An empty store whose tables of accounts are divided. PostgreSQL demands the same keys of it as Citus does. */
async function dividedStore(): Promise<string> {
  const url = await sharedPostgres().emptyDatabase();
  const database = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  });
  await migrate(database, "postgres", { partitions });
  await database.destroy();
  return url;
}

/** The partitions that a statement touches, as `0` to `3`. */
async function partitionsOf(client: Client, text: string, values: readonly unknown[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ readonly "QUERY PLAN": unknown }>(`explain (format json) ${text}`, [...values]);
  const touched = [...JSON.stringify(rows[0]?.["QUERY PLAN"]).matchAll(/"Relation Name":"\w+_p(\d)"/g)];
  return new Set([...touched.map(([, partition = ""]) => partition), ...insertedKeys(text, values)]);
}

/** The keys of inserted rows. A plan does not say in which partition they come. */
function insertedKeys(text: string, values: readonly unknown[]): readonly string[] {
  const [, table = "", columns = ""] = /^insert into "?(\w+)"? \(([^)]+)\)/.exec(text) ?? [];
  const key = storedTables.includes(table) ? partitionKeyOf(table) : undefined;
  if (key === undefined) return [];
  const names = columns.split(", ").map((each) => each.replaceAll('"', ""));
  return values.filter((_, index) => index % names.length === names.indexOf(key)).map((each) => `key ${String(each)}`);
}

/** Statements that touch several partitions, and exceptions that no statement needs. */
async function wrongIn(url: string, statements: ReadonlyMap<string, readonly unknown[]>): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const unused = new Set(exceptions);
  const wrong: string[] = [];
  for (const [text, values] of statements) {
    if (/^select .*pg_|kysely|information_schema/s.test(text)) continue;
    const { size } = await partitionsOf(client, text, values);
    if (size <= 1) continue;
    const exception = exceptions.find(([pattern]) => pattern.test(text));
    if (exception === undefined) wrong.push(`${size} partitions: ${text}`);
    else unused.delete(exception);
  }
  return [...wrong, ...[...unused].map(([, reason]) => `unused: ${reason}`)];
}

/** What the controls do that name no account, and an upload, which has no caller. */
async function useControls({ admin, controls: client }: World): Promise<void> {
  const { id } = await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1" } });
  await controls.listInstanceDisks(client, { path: { id } });
  await controls.listMessages(client, { query: { to: "+1" } });
  const script = await controls.createStackScript(client, { body: { label: "a", images: [] } });
  await controls.deleteStackScript(client, { path: { id: script.id } });
  const { upload_to } = await api.uploadImage(admin, { body: { label: "up", region: "us-east" } });
  const uploaded = await fetch(upload_to, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: gzipSync("data"),
  });
  expect(uploaded.status).toBe(200);
  await controls.reset(client);
}

test("each statement of requests and jobs touches one partition by account", { timeout: 1_200_000 }, async () => {
  const url = await dividedStore();
  const statements = watchStatements();
  const world = await start(["--database-url", url, "--data", ":memory:", "--pace", "0"]);
  await useEverything(world);
  await useControls(world);
  if (isFull) {
    const report = await runSuite(suite, {
      url: world.service.url,
      controls: world.service.controls ?? "",
      credentials: { main: world.token },
      cases: suite.cases,
      seed: 1,
      scenarios,
    });
    expect(report.results).toHaveLength(suite.cases.length);
  }
  expect(statements.size).toBeGreaterThan(isFull ? 300 : 150);
  expect(await wrongIn(url, statements)).toEqual([]);
});

test("finds a statement without an account, rows of two accounts, and an exception that nothing needs", async () => {
  const url = await dividedStore();
  const wrong = await wrongIn(
    url,
    new Map<string, readonly unknown[]>([
      [`select doc from "tags" where "account" = $1 and "id" in ($2)`, ["a", 1]],
      [`select doc from "tags" where "id" in ($1)`, [1]],
      [
        `insert into counts (account, tbl, owner, n) values ($1, $2, $3, $4), ($5, $6, $7, $8)`,
        ["a", "t", "o", 1, "b", "t", "o", 1],
      ],
      [`delete from "tags"`, []],
    ]),
  );
  expect(wrong).toEqual([
    `${partitions} partitions: select doc from "tags" where "id" in ($1)`,
    "2 partitions: insert into counts (account, tbl, owner, n) values ($1, $2, $3, $4), ($5, $6, $7, $8)",
    ...exceptions.filter(([pattern]) => !pattern.test(`delete from "tags"`)).map(([, reason]) => `unused: ${reason}`),
  ]);
});
