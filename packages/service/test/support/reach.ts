import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { onTestFinished } from "vitest";
import { shardCount } from "../../src/store/citus.support.js";
import { migrate } from "../../src/store/migrations.js";
import { openPostgres } from "../../src/store/postgres.js";
import { sharedPostgres } from "../../src/store/postgres.support.js";
import { partitionKeyOf } from "../../src/store/schema.js";
import { storedTables } from "../../src/store/tables.js";
import { isCitus } from "./form.js";

/** Statements that reach several accounts, by their texts. There are no other reasons than these. */
export const exceptions: readonly (readonly [text: RegExp, reason: string])[] = [
  [/^select account \|\| '' from jobs /, "accounts with due jobs"],
  [/^select account \|\| '', id from jobs where due >= \$1$/, "accounts with jobs that were given up, at a start"],
  [/^select doc from jobs where .*order by due, id limit 1$/, "the time of the next job"],
  [/^delete from "\w+"$/, "a test control: the reset"],
  [/^select doc from "(messages|instances|stackscripts)" where/, "a test control: those that name no account"],
];

/** Two partitions show as much as more do, and cost less. On Citus these are the shards of a table. */
export const partitions: number = isCitus ? shardCount : 2;

export interface Watched {
  /** Those of the first time. */
  readonly values: readonly unknown[];
  times: number;
}

/** The statements of all clients of PostgreSQL from now on. */
export function watchStatements(): ReadonlyMap<string, Watched> {
  const statements = new Map<string, Watched>();
  const { prototype } = Client;
  const query = Reflect.get(prototype, "query") as (this: Client, ...given: readonly unknown[]) => never;
  prototype.query = function (this: Client, ...given: readonly unknown[]) {
    const [config, values = []] = given as [string | { text: string; values?: unknown[] }, unknown[]?];
    const { text, values: parameters = values } = typeof config === "string" ? { text: config } : config;
    const watched = statements.get(text);
    if (watched !== undefined) watched.times += 1;
    else if (/^\s*(select|insert|update|delete|with)\b/.test(text))
      statements.set(text, { values: parameters, times: 1 });
    return query.apply(this, [...given]);
  };
  onTestFinished(() => {
    prototype.query = query;
  });
  return statements;
}

/** An empty store whose tables of accounts are divided. PostgreSQL demands the same keys of it as Citus does. On Citus it is distributed. */
export async function dividedStore(): Promise<string> {
  if (isCitus) return sharedPostgres().database();
  const url = await sharedPostgres().emptyDatabase();
  const database = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  });
  await migrate(database, "postgres", { partitions });
  await database.destroy();
  // Limits have a table of their own.
  await (await openPostgres(url)).close();
  return url;
}

/** How many partitions, or shards, a statement touches. */
async function placesOf(client: Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query<{ readonly "QUERY PLAN": unknown }>(`explain (format json) ${text}`, [...values]);
  const plan = JSON.stringify(rows[0]?.["QUERY PLAN"]);
  if (isCitus) return Math.max(1, ...[...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count)));
  const touched = [...plan.matchAll(/"Relation Name":"\w+_p(\d)"/g)].map(([, partition = ""]) => partition);
  return new Set([...touched, ...insertedKeys(text, values)]).size;
}

/** The keys of inserted rows. A plan does not say in which partition they come. */
function insertedKeys(text: string, values: readonly unknown[]): readonly string[] {
  const [, table = "", columns = ""] = /^insert into "?(\w+)"? \(([^)]+)\)/.exec(text) ?? [];
  const key = storedTables.includes(table) ? partitionKeyOf(table) : undefined;
  if (key === undefined) return [];
  const names = columns.split(", ").map((each) => each.replaceAll('"', ""));
  return values.filter((_, index) => index % names.length === names.indexOf(key)).map((each) => `key ${String(each)}`);
}

/** What statements touch in a divided store. */
export interface Reach {
  /** Those that touch several partitions without a reason. */
  readonly wrong: readonly string[];
  /** How often statements ran, by their reason to touch several partitions, or that they touch one. */
  readonly times: ReadonlyMap<string, number>;
}

/** Explains each text once, with its first parameters. */
export async function reachOf(url: string, statements: ReadonlyMap<string, Watched>): Promise<Reach> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const times = new Map<string, number>();
  const wrong: string[] = [];
  for (const [text, watched] of statements) {
    if (/^select .*pg_|kysely|information_schema|citus/s.test(text)) continue;
    const places = await placesOf(client, text, watched.values);
    const reason = places > 1 ? exceptions.find(([pattern]) => pattern.test(text))?.[1] : "one account";
    if (reason === undefined) wrong.push(`${places} partitions: ${text}`);
    else times.set(reason, (times.get(reason) ?? 0) + watched.times);
  }
  return { wrong, times };
}
