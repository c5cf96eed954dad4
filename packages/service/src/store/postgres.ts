import type { RateLimitStore } from "@plumbline/server-runtime";
import { createPostgresStore, type PostgresStore } from "@plumbline/server-runtime/limits/postgres";
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { Client, Pool } from "pg";
import { rowsOf, textCell, type Cells, type Sql } from "./database.js";
import { containsByTranslate } from "./filters/contains.js";
import { createTrigramIndexes } from "./filters/postgres-trigrams.js";
import { migrate } from "./migrations.js";
import { queues } from "./queues.js";
import { withStatements, type OnStatement } from "./statements.js";
import { StoreUnavailableError, type Store } from "./store.js";
import { sequences, tables } from "./tables.js";
import { createTransaction, type Transaction } from "./transaction.js";

export interface PostgresOptions {
  /** Connections at most, without the one for notices. Default: 16. */
  readonly connections?: number | undefined;
  /** Called once if there are no indexes of texts, with the reason: `+contains` takes longer. */
  readonly onMissingIndexes?: (reason: Error) => void;
  readonly onStatement?: OnStatement | undefined;
}

/** A store on PostgreSQL, which any number of replicas share. */
export async function openPostgres(
  url: string,
  { connections = 16, onMissingIndexes, onStatement }: PostgresOptions = {},
): Promise<Store> {
  const pool = connect(url, connections);
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await asStoreError(() => migrate(kysely, "postgres"));
  // The pool has deadlines of its own.
  const rates = createPostgresStore(pool, { timeoutMs: 60_000 });
  await asStoreError(() => rates.createTable());
  const reason = await asStoreError(() => createTrigramIndexes(kysely));
  if (reason !== undefined) onMissingIndexes?.(reason);
  const executorOf = sqlWith(new Map());
  const sqlOf = (executor: Kysely<unknown>): Sql => withStatements(executorOf(executor), onStatement);
  const ids = new IdBlocks();
  const database = sqlOf(kysely);
  const notices = await Notices.connect(url);
  notices.listen((notice) => {
    if (notice === resetNotice) ids.forget();
  });
  const write = <T>(run: (database: Sql) => Promise<T>): Promise<T> =>
    repeatedly(() => asStoreError(() => kysely.transaction().execute((transaction) => run(sqlOf(transaction)))));
  // An account has one connection for its writes, so that those that wait for its lock leave connections to other accounts.
  const inAccount = queues();
  const read: Store["read"] = (now, run) => asStoreError(() => run(transactionOf({ now, database, ids })));
  return {
    read,
    // Other replicas write, too.
    remember: ({ now }, find) => read(now, find),
    write: ({ account, now }, run) =>
      inAccount(account, () =>
        write(async (transaction) => {
          await lockAccount(account, transaction);
          return run(transactionOf({ now, database: transaction, ids }));
        }),
      ),
    writeUnlessBusy: ({ account, now }, run) =>
      write(async (transaction) =>
        (await isAccountLocked(account, transaction))
          ? run(transactionOf({ now, database: transaction, ids }))
          : undefined,
      ),
    reset: (now, fill) =>
      write(async (transaction) => {
        await deleteEverything(transaction);
        ids.forget();
        await rowsOf(sql`select pg_notify(${channel}, ${resetNotice})`, transaction);
        await fill(transactionOf({ now, database: transaction, ids }));
      }),
    rates: inTurn(rates),
    forgetsRates: false,
    onNotice: (listener) => notices.listen(() => listener()),
    notice: async () => {
      await asStoreError(() => rowsOf(sql`select pg_notify(${channel}, '')`, database));
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await notices.close();
      await kysely.destroy();
    },
  };
}

function connect(url: string, max: number): Pool {
  const pool = new Pool({ connectionString: url, max, connectionTimeoutMillis: 5000, allowExitOnIdle: false });
  // An idle connection that is lost is replaced on the next use.
  pool.on("error", () => {});
  // If the connection of a transaction is lost between two queries, the next query fails. Without a listener the event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Locks an account, and keeps a reset from starting. */
async function lockAccount(account: string, transaction: Sql): Promise<void> {
  await rowsOf(
    sql`select pg_advisory_xact_lock_shared(${everything}), pg_advisory_xact_lock(${accounts}, hashtext(${textCell(account)}))`,
    transaction,
  );
}

/** Locks an account as `lockAccount`, if no transaction has its lock. */
async function isAccountLocked(account: string, transaction: Sql): Promise<boolean> {
  const [row] = await rowsOf(
    sql`select pg_try_advisory_xact_lock_shared(${everything}) and pg_try_advisory_xact_lock(${accounts}, hashtext(${textCell(account)}))`,
    transaction,
  );
  return String(row?.[0]) === "true";
}

/** Empties the store while no write is running. */
async function deleteEverything(transaction: Sql): Promise<void> {
  await rowsOf(sql`select pg_advisory_xact_lock(${everything})`, transaction);
  for (const name of [...Object.keys(tables), "items", "counts", "rate_limits"])
    await rowsOf(sql`delete from ${sql.table(name)}`, transaction);
  for (const name of sequences) await rowsOf(sql`alter sequence ${sql.table(`ids_${name}`)} restart`, transaction);
}

/** Runs SQL on a pool or in a transaction, with a shared cache of texts. */
function sqlWith(texts: Map<string, string>): (kysely: Kysely<unknown>) => Sql {
  return (kysely) => {
    const run: Sql["run"] = async (text, parameters) => {
      const { rows } = await kysely.executeQuery<object>(CompiledQuery.raw(text, [...parameters]));
      return rows.map((row) => Object.values(row) as Cells);
    };
    const first: Sql["first"] = async (text, parameters) => (await run(text, parameters))[0];
    return { writer: kysely, contains: containsByTranslate, texts, run, first };
  };
}

/** Advisory locks: one number for the complete store, and a space of numbers for accounts. */
const everything = 7_340_032;
const accounts = 7_340_033;
const things = 7_340_035;
const channel = "cloud_compute";

/** Says that the sequences begin again. */
const resetNotice = "reset";

function transactionOf({
  now,
  database,
  ids,
}: {
  readonly now: number;
  readonly database: Sql;
  readonly ids: IdBlocks;
}): Transaction {
  return createTransaction({
    now,
    database,
    nextId: (name) => ids.next(database, name),
    lock: async (thing) => {
      await rowsOf(sql`select pg_advisory_xact_lock(${things}, hashtext(${textCell(thing)}))`, database);
    },
    onWrite: () => {},
    // Other replicas write, too.
    remember: (_, find) => find(),
  });
}

/** Ids that this process has taken from the sequences, and not used yet. One statement takes many. */
class IdBlocks {
  readonly #free = new Map<string, number[]>();

  async next(database: Sql, name: string): Promise<number> {
    const known = this.#free.get(name)?.shift();
    if (known !== undefined) return known;
    const taken = await rowsOf(sql`select nextval(${`ids_${name}`}) from generate_series(1, ${idsAtOnce})`, database);
    const [first = 0, ...rest] = taken.map(([id]) => Number(id));
    // Another transaction may have taken some meanwhile: ids of one process grow.
    this.#free.set(name, [...(this.#free.get(name) ?? []), ...rest]);
    return first;
  }

  forget(): void {
    this.#free.clear();
  }
}

const idsAtOnce = 32;

/** Exact across replicas: those of one key count one after the other. */
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
    const client = new Client({ connectionString: this.#url });
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

/** Classes 08 (connection), 53 (resources) and 57P (shutdown), and errors of sockets. */
function isOfTheConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08|53|57P)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOST|NOTFOUND|AI_AGAIN)/.test(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|not queryable|timeout (?:expired|exceeded when trying to connect)/.test(error.message)
  );
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}
