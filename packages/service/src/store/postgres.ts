import { Socket } from "node:net";
import type { RateLimitStore } from "@plumbline/server-runtime";
import { createPostgresStore, type PostgresStore } from "@plumbline/server-runtime/limits/postgres";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, Pool, type PoolClient, type PoolConfig } from "pg";
import { CountChanges } from "./counts.js";
import { rowsOf, textCell, textOf, Texts, type Cell, type Sql } from "./database.js";
import { containsByTranslate } from "./filters/contains.js";
import { createTrigramIndexes } from "./filters/postgres-trigrams.js";
import { migrate } from "./migrations.js";
import { maxWaitMs, queues } from "./queues.js";
import { withStatements, type ObserveStatement } from "./statements.js";
import { StoreUnavailableError, type Filling, type Scope, type Store } from "./store.js";
import { idsAtOnce, sequences, storedTables } from "./tables.js";
import { allAccounts, type TransactionContext } from "./transaction-context.js";
import { createTransaction, type Survey, type Transaction } from "./transaction.js";

export interface PostgresOptions {
  /** Connections at most, without the one for notices. Default: 16. */
  readonly connections?: number | undefined;
  /** Called once if there are no indexes of texts, with the reason: `+contains` takes longer. */
  readonly onMissingIndexes?: (reason: Error) => void;
  readonly observeStatement?: ObserveStatement | undefined;
}

/** A store on PostgreSQL, which any number of replicas share. */
export async function openPostgres(
  url: string,
  { connections = 16, onMissingIndexes, observeStatement }: PostgresOptions = {},
): Promise<Store> {
  const { missing, isPooled } = await asStoreError(() => prepare(url));
  if (missing !== undefined) onMissingIndexes?.(missing);
  const { pool, kysely, rates } = connect(url, { max: connections, deadlineMs, ...(isPooled ? {} : deadlines) });
  const begin = isPooled ? beginPooled : "begin";
  const executorOf = sqlWith(kysely, { prepares: !isPooled });
  const sqlOf = (queryable: Queryable): Sql => withStatements(executorOf(queryable), "postgresql", observeStatement);
  const ids = new IdBlocks();
  const database = sqlOf(pool);
  const notices = await Notices.connect(url);
  notices.listen((notice) => {
    if (notice === resetNotice) ids.forget();
  });
  const write = <T>(run: (database: Sql) => Promise<T>): Promise<T> =>
    repeatedly(() => asStoreError(() => onClientOf(pool, (client) => inTransaction(sqlOf(client), begin, run))));
  // An account has one connection for its writes, so that those that wait for its lock leave connections to other accounts.
  const inAccount = queues();
  const writeIn = async <T>(scope: Scope, on: Sql, run: (tx: Transaction) => Promise<T>): Promise<T> => {
    const counts = new CountChanges();
    const result = await run(transactionOf({ ...scope, database: on, ids, counts }));
    if (scope.account !== null) await counts.write(scope.account, on);
    return result;
  };
  return {
    read: (scope, run) => asStoreError(() => run(transactionOf({ ...scope, database, ids }))),
    survey: (now, run) => asStoreError(() => run(transactionOf({ now, account: allAccounts, database, ids }))),
    // Other replicas write, too.
    remember: (_, find) => find(),
    write: (scope, run) =>
      inAccount(scope.account ?? "", () =>
        write(async (transaction) => {
          await lock(scope, transaction);
          return writeIn(scope, transaction, run);
        }),
      ),
    writeUnlessBusy: (scope, run) =>
      write(async (transaction) =>
        (await lock(scope, transaction, "skip locked")) ? writeIn(scope, transaction, run) : undefined,
      ),
    reset: (scope, fill) =>
      write(async (transaction) => {
        await deleteEverything(transaction);
        ids.forget();
        await rowsOf(sql`select pg_notify(${channel}, ${resetNotice})`, transaction);
        await writeIn(scope, transaction, fill);
      }),
    fill: (run) => asStoreError(() => fillAt(url, !isPooled, run)),
    rates: inTurn(rates),
    forgetsRates: false,
    onNotice: (listener) => notices.listen(() => listener()),
    notice: async () => {
      await asStoreError(() => rowsOf(sql`select pg_notify(${channel}, '')`, database));
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await notices.close();
      await pool.end();
    },
  };
}

/** A database that has the schema of this version. */
interface Prepared {
  /** The reason if there are no indexes of texts. */
  readonly missing: Error | undefined;
  readonly isPooled: boolean;
}

/** Brings a database to the schema of this version, however long that takes. */
async function prepare(url: string): Promise<Prepared> {
  const { pool, kysely, rates } = connect(url, { max: 2, deadlineMs: 0 });
  try {
    await migrate(kysely, "postgres");
    await rates.createTable();
    return { missing: await createTrigramIndexes(kysely), isPooled: await hasPooler(pool) };
  } finally {
    await kysely.destroy();
  }
}

/** Whether a pooler is before the database: it names processes of its own. Then statements of one connection may run on several. */
function hasPooler(pool: Pool): Promise<boolean> {
  return onClientOf(pool, async (client: PoolClient & { readonly processID?: number }) => {
    const { rows } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid !== client.processID;
  });
}

async function onClientOf<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await run(client);
  } finally {
    client.release();
  }
}

/** Its rows may come slowly, so it has no deadlines. A replica that starts meanwhile waits. */
async function fillAt<T>(url: string, prepares: boolean, run: (filling: Filling) => Promise<T>): Promise<T> {
  const { pool, kysely } = connect(url, { max: 1, deadlineMs: 0 });
  const fillIn = async (database: Sql): Promise<T> => {
    await lockEverything(database);
    const setNext: Filling["setNext"] = (name, next) =>
      rowsOf(sql`alter sequence ${sql.table(`ids_${name}`)} restart with ${sql.lit(next)}`, database);
    return run({ database, setNext });
  };
  try {
    return await onClientOf(pool, (client) => inTransaction(sqlWith(kysely, { prepares })(client), "begin", fillIn));
  } finally {
    await pool.end();
  }
}

/** `deadlineMs`: after so long without a byte a connection is lost; 0 if it never is. */
function connect(
  url: string,
  { deadlineMs: deadline, ...options }: { readonly deadlineMs: number } & PoolConfig,
): { readonly pool: Pool; readonly kysely: Kysely<unknown>; readonly rates: PostgresStore } {
  const stream = (): Socket => {
    const socket = new Socket();
    return socket.setTimeout(deadline, () => socket.destroy(new DatabaseSilentError("the database does not answer")));
  };
  const pool = new Pool({ ...options, connectionString: url, stream, connectionTimeoutMillis, allowExitOnIdle: false });
  // An idle connection that is lost is replaced on the next use.
  pool.on("error", () => {});
  // If the connection of a transaction is lost between two queries, the next query fails. Without a listener the event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    pool,
    kysely: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    // The pool has deadlines of its own.
    rates: createPostgresStore(pool, { timeoutMs: 60_000 }),
  };
}

/** The network to the database is cut, or the database hangs. */
class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
  readonly code = "ETIMEDOUT";
}

const connectionTimeoutMillis = 5000;

/** Milliseconds. Twice as long as a replica that is cut off has its locks. Idle connections end earlier. */
const deadlineMs = 30_000;

/** The database ends a transaction whose replica is cut off or hangs, so that others get its lock, and waits for a lock. Milliseconds. */
const deadlines = { idle_in_transaction_session_timeout: 15_000, lock_timeout: maxWaitMs };

/** The connections of a pooler have no settings of ours. This costs no round trip. */
const beginPooled = ["begin", ...Object.entries(deadlines).map(([name, ms]) => `set local ${name} = ${ms}`)].join("; ");

/** Runs a transaction on a connection. Observers see how long its end takes, unlike in a transaction of Kysely. */
async function inTransaction<T>(connection: Sql, begin: string, run: (transaction: Sql) => Promise<T>): Promise<T> {
  await connection.run(begin, []);
  try {
    const result = await run(connection);
    await connection.run("commit", []);
    return result;
  } catch (error) {
    // A connection that cannot do this is lost, and its pool removes it.
    await connection.run("rollback", []).catch(() => {});
    throw error;
  }
}

/**
 * Locks the row of an account, or the settings of the platform. Returns whether there is one. Two transactions that add the same account wait for
 * each other at its key, and the second one runs again.
 */
async function lock({ account }: Scope, transaction: Sql, ifLocked: "" | "skip locked" = ""): Promise<boolean> {
  if (account === null) return (await rowsOf(sql`select 1 from settings for update`, transaction)).length > 0;
  const id = textCell(account);
  const write = () => sql`select 1 from accounts where account = ${id} and id = ${id} for update ${sql.raw(ifLocked)}`;
  const text = textOf({ does: `lock ${ifLocked}`, write }, transaction);
  return (await transaction.run(text, [id, id])).length > 0;
}

/** Empties the store while no write is running. */
async function deleteEverything(transaction: Sql): Promise<void> {
  await lockEverything(transaction);
  for (const name of [...storedTables, "rate_limits"]) await rowsOf(sql`delete from ${sql.table(name)}`, transaction);
  for (const name of sequences) await rowsOf(sql`alter sequence ${sql.table(`ids_${name}`)} restart`, transaction);
}

/** Every write locks a row of one of these tables. Reads go on. */
async function lockEverything(transaction: Sql): Promise<void> {
  await rowsOf(sql`lock table accounts, settings in exclusive mode`, transaction);
}

type Queryable = Pick<Pool | PoolClient, "query">;

/**
 * Runs SQL on a pool or in a transaction, with a shared cache of texts. `prepares`: each connection plans a text that recurs once, which takes longer
 * than to run it.
 */
function sqlWith(writer: Kysely<unknown>, { prepares }: { readonly prepares: boolean }): (queryable: Queryable) => Sql {
  const texts = new Texts();
  return (queryable) => {
    const run: Sql["run"] = async (text, parameters) => {
      const name = prepares ? texts.nameOf(text) : undefined;
      const values = [...parameters];
      const { rows } = await queryable.query<Cell[]>({ name, text, values, rowMode: "array" });
      return rows;
    };
    const first: Sql["first"] = async (text, parameters) => (await run(text, parameters))[0];
    return { writer, contains: containsByTranslate, unindexed: (column) => column, texts, run, first };
  };
}

/** Replicas listen to it. */
export const channel = "cloud_compute";

/** Says that the sequences begin again. */
const resetNotice = "reset";

function transactionOf({
  ids,
  ...context
}: Pick<TransactionContext, "now" | "account" | "database" | "counts"> & { readonly ids: IdBlocks }): Survey {
  return createTransaction({
    ...context,
    nextId: (name) => ids.next(context.database, name),
    onWrite: () => {},
    // Other replicas write, too.
    remember: (_, find) => find(),
  });
}

/** Ids that this process has taken from the sequences, and not used yet. A sequence counts blocks. */
class IdBlocks {
  readonly #free = new Map<string, number[]>();
  readonly #taking = new Map<string, Promise<unknown>>();

  /** Ids of one process grow: who comes while a block is taken, waits for it. */
  async next(database: Sql, name: string): Promise<number> {
    for (;;) {
      const known = this.#free.get(name)?.shift();
      if (known !== undefined) return known;
      const taking = this.#taking.get(name);
      if (taking === undefined) await this.#take(database, name);
      // Its transaction may fail, which is no failure of this one.
      else await taking.catch(() => {});
    }
  }

  async #take(database: Sql, name: string): Promise<void> {
    const taking = rowsOf(sql`select nextval(${`ids_${name}`})`, database);
    this.#taking.set(name, taking);
    try {
      const [row] = await taking;
      this.#free.set(
        name,
        Array.from({ length: idsAtOnce }, (_, index) => Number(row?.[0]) + index),
      );
    } finally {
      this.#taking.delete(name);
    }
  }

  forget(): void {
    this.#free.clear();
  }
}

/** One connection at most waits for the row of a key, however many requests have it. */
function inTurn(rates: PostgresStore): RateLimitStore {
  const inKey = queues();
  return {
    consume: (hit) => inKey(hit.key, async () => rates.consume(hit)),
    undo: (hit) => inKey(hit.key, async () => rates.undo(hit)),
    reset: (key) => inKey(key, async () => rates.reset(key)),
  };
}

/** A connection that receives the notices of other replicas. */
class Notices {
  readonly #url: string;
  readonly #listeners = new Set<(notice: string) => void>();
  #client: Client | undefined;
  #isClosed = false;

  static async connect(url: string): Promise<Notices> {
    const notices = new Notices(url);
    await notices.#connect();
    return notices;
  }

  private constructor(url: string) {
    this.#url = url;
  }

  listen(listener: (notice: string) => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    // Nothing is sent here, so that only these probes find out that the network is cut.
    const probes = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
    const client = new Client({ connectionString: this.#url, connectionTimeoutMillis, ...probes });
    client.on("notification", ({ payload = "" }) => {
      for (const listener of this.#listeners) listener(payload);
    });
    client.on("error", () => {
      this.#client = undefined;
      setTimeout(() => void this.#again(), retryAfterMs).unref();
    });
    await client.connect();
    await client.query(`listen ${channel}`);
    this.#client = client;
  }

  /** Retries until the database is back. Meanwhile replicas find jobs by searching. */
  async #again(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#connect();
    } catch {
      setTimeout(() => void this.#again(), retryAfterMs).unref();
    }
  }
}

/** Milliseconds. */
const retryAfterMs = 1000;

/** Retries transactions that deadlock, or that create the same row concurrently. */
async function repeatedly<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !again.has(codeOf(error))) throw error;
    }
  }
}

const maxAttempts = 5;
const again: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);

async function asStoreError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isOfTheConnection(error)
      ? new StoreUnavailableError("the database cannot be used now", { cause: error })
      : error;
  }
}

/**
 * Classes 08 (connection), 53 (resources) and 57P (shutdown), a server that is no primary (any more), a transaction that it ended, a lock that was
 * not free in time, and errors of sockets. Citus reports a worker that is lost at a commit as an internal error, with the message of its client library.
 */
function isOfTheConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08|53|57P|25006|25P03|55P03)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOST|NOTFOUND|AI_AGAIN)/.test(code))
    return true;
  return (
    error instanceof Error &&
    /Connection terminated|not queryable|invalid socket|timeout (?:expired|exceeded when trying to connect)/.test(
      error.message,
    )
  );
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}
