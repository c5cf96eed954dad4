import { randomInt } from "node:crypto";
import { join } from "node:path";
import { createMemoryStore } from "@plumbline/server-runtime";
import { Kysely, sql, SqliteDialect } from "kysely";
import Database from "libsql";
import { findLoss, markClosed, markOpen, setLossAside, type LostWritesError } from "./clean-stop.js";
import { CountChanges } from "./counts.js";
import { nextWrite, positionOf } from "./database-file.js";
import { rowsOf, textOf, Texts, type Cells, type Sql, type Statement } from "./database.js";
import { containsByGlob } from "./filters/contains.js";
import { trigramIndex } from "./filters/trigrams.js";
import { migrate } from "./migrations.js";
import { privateFile, privateFolder } from "./private-files.js";
import { ReadCache } from "./read-cache.js";
import { withStatements, type ObserveStatement } from "./statements.js";
import { StoreUnavailableError, type Filling, type Scope, type Store } from "./store.js";
import { storedTables, tables, type TableName } from "./tables.js";
import { allAccounts } from "./transaction-context.js";
import { createTransaction, type Transaction } from "./transaction.js";
import { WriteQueue } from "./write-queue.js";

export interface SqliteOptions {
  /** Called when acknowledged writes may be lost, before opening the store with the remaining data. Without it, opening fails. */
  readonly acceptLoss?: ((loss: LostWritesError) => void) | undefined;
  readonly observeStatement?: ObserveStatement | undefined;
}

/**
 * A store in one file within a folder, or in memory with `:memory:`. One process at a time can use it.
 *
 * @throws LostWritesError when a file of the store is missing, damaged, or from another time or store
 */
export async function openSqlite(folder: string, options: SqliteOptions = {}): Promise<Store> {
  const file = folder === ":memory:" ? undefined : openFile(folder, options);
  const { observeStatement } = options;
  const opened = await openWriter(file);
  const writer = { ...opened, sql: withStatements(opened.sql, "sqlite", observeStatement) };
  const cache = new ReadCache();
  const writes = new Writes(writer, cache, file && new NumberedWrites(writer, file.path));
  // Readers of a file see committed writes during another write. In memory there is only one connection.
  const reader = file && connect(file.path, { durable: true, cache: 6144 });
  const reads = {
    database: reader === undefined ? writes.queuedReads : withStatements(reader.sql, "sqlite", observeStatement),
    nextId: noIds,
    onWrite: () => {},
    remember: cache.find.bind(cache),
  };
  let rates = createMemoryStore();
  return {
    read: (scope, run) => asStoreError(() => run(createTransaction({ ...scope, ...reads }))),
    survey: (now, run) => asStoreError(() => run(createTransaction({ now, account: allAccounts, ...reads }))),
    remember: (sought, find) => cache.find(sought, find),
    write: (scope, run) => asStoreError(() => writes.run(scope, run)),
    // Writes of all accounts run one after the other.
    writeUnlessBusy: (scope, run) => asStoreError(() => writes.run(scope, run)),
    reset: async (scope, fill) => {
      await asStoreError(() => writes.reset(scope, fill));
      rates = createMemoryStore();
    },
    fill: (run) => asStoreError(() => writes.fill(run)),
    forgetsRates: true,
    rates: {
      consume: (hit) => rates.consume(hit),
      undo: (hit) => rates.undo(hit),
      reset: (key) => rates.reset(key),
    },
    onNotice: () => {},
    notice: async () => {},
    close: async () => {
      reader?.database.close();
      await writes.queue.after(async () => {
        // Closing may remove the log, which is needed if the disk is too full to move its content.
        if (file === undefined || isSaved(file.path, writer)) writer.database.close();
      });
      file?.lock.close();
    },
  };
}

/** The file of a database. Its lock keeps other processes out of the folder. */
interface DatabaseFile {
  readonly path: string;
  readonly lock: Libsql;
}

/** Checks for lost writes, then creates the marker: no write is acknowledged before there is a new log. */
function openFile(folder: string, { acceptLoss }: SqliteOptions): DatabaseFile {
  privateFolder(folder);
  const path = databaseOf(folder);
  const lock = lockFolder(folder);
  const loss = findLoss(path);
  if (loss !== undefined && acceptLoss === undefined) {
    lock.close();
    throw loss;
  }
  if (loss !== undefined) {
    acceptLoss?.(loss);
    setLossAside(path);
  }
  markClosed(path);
  // SQLite creates its other files with the permissions of this file.
  privateFile(path);
  return { path, lock };
}

/** The file of the database of a store. */
export function databaseOf(folder: string): string {
  return join(folder, "cloud-compute.db");
}

/** Rates are counted in memory, so one process at a time. The system releases the lock when the process ends, in any way. */
export function lockFolder(folder: string): Libsql {
  const file = join(folder, "lock.db");
  privateFile(file);
  const database = new Database(file);
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    throw new InUseError(`another process has the store in ${folder}; end it, or use another folder`, { cause: error });
  }
  return database;
}

/** Another process uses the folder. */
export class InUseError extends Error {
  override readonly name = "InUseError";
}

async function openWriter(file: DatabaseFile | undefined): Promise<Connection> {
  const writer = connect(file?.path ?? ":memory:", { durable: file !== undefined, cache: 4096 });
  if (file !== undefined) checkpoint(writer, "truncate");
  try {
    await migrate(writer.sql.writer, "sqlite");
  } catch (error) {
    writer.database.close();
    file?.lock.close();
    throw error;
  }
  return writer;
}

/** Runs writes one after the other, and counts what they change. */
class Writes {
  readonly queue: WriteQueue;
  readonly #sql: Sql;
  readonly #sequences: SequenceNumbers;
  readonly #changedTables = new Set<TableName>();

  constructor({ sql: connection, database }: Connection, cache: ReadCache, numbering: NumberedWrites | undefined) {
    this.#sql = connection;
    this.#sequences = new SequenceNumbers(connection);
    this.queue = new WriteQueue({
      sql: connection,
      isWriting: () => database.inTransaction,
      ending: async () => {
        await this.#sequences.write();
        numbering?.next();
      },
      ended: (isKept) => {
        if (isKept) numbering?.keep();
        else this.#sequences.forget();
        cache.invalidate(this.#changedTables);
        this.#changedTables.clear();
      },
    });
  }

  /** The connection, for reads. Each query waits for its turn, but a read as a whole does not, since it may go on to write elsewhere. */
  get queuedReads(): Sql {
    return {
      ...this.#sql,
      run: (text, parameters) => this.queue.between(() => this.#sql.run(text, parameters)),
      first: (text, parameters) => this.queue.between(async () => this.#sql.first(text, parameters)),
    };
  }

  run<T>(scope: Scope, run: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.queue.write(async () => {
      const counts = new CountChanges();
      const tx = createTransaction({
        ...scope,
        database: this.#sql,
        nextId: (name) => this.#sequences.next(name),
        counts,
        onWrite: (name) => void this.#changedTables.add(name),
        // Uncommitted results must not reach other transactions.
        remember: (_, find) => find(),
      });
      const result = await run(tx);
      if (scope.account !== null) await counts.write(scope.account, this.#sql);
      return result;
    });
  }

  fill<T>(run: (filling: Filling) => Promise<T>): Promise<T> {
    const keep = textOf(keepNumbers(1), this.#sql);
    const setNext: Filling["setNext"] = (name, next) => this.#sql.run(keep, [name, next - 1]);
    return this.queue.write(() => run({ database: this.#sql, setNext }));
  }

  reset(scope: Scope, fill: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.run(scope, async (tx) => {
      for (const name of [...storedTables, "sequences"]) await rowsOf(sql`delete from ${sql.table(name)}`, this.#sql);
      this.#sequences.forget();
      for (const name of Object.keys(tables) as TableName[]) this.#changedTables.add(name);
      await fill(tx);
    });
  }
}

/** Moves the content of the log to the file of the database. Returns whether all of it is there now. */
function checkpoint({ database }: Connection, mode: "full" | "truncate"): boolean {
  const [isBusy, logged, moved] = database.prepare(`pragma wal_checkpoint(${mode})`).raw().get([]) as number[];
  return isBusy === 0 && logged === moved;
}

/** Saves the complete log in the file of the database, and creates the marker. A process that is killed meanwhile leaves the log or the marker. */
function isSaved(file: string, writer: Connection): boolean {
  try {
    if (!checkpoint(writer, "full")) return false;
    // The file has all writes now, and after an import the log is large.
    markClosed(file, positionOf(file, undefined));
    // Remaining statements keep a connection open, and with it the log.
    return checkpoint(writer, "truncate");
  } catch {
    return false;
  }
}

/**
 * The first page of a database has the random number of its store, and the number of the last write. Every transaction writes this page, so that each
 * log has it, too: a database and a log that do not belong together are recognized.
 */
class NumberedWrites {
  readonly #writer: Connection;
  #last = 0;

  /** Writes the first transaction of a log, so that the log exists. The file of the database has the number of the store before. */
  constructor(writer: Connection, file: string) {
    this.#writer = writer;
    const { database } = writer;
    const read = (name: string): number => (database.prepare(`pragma ${name}`).raw().get([]) as number[])[0] ?? 0;
    if (read("application_id") === 0) database.exec(`pragma application_id = ${randomInt(1, 2 ** 31)}`);
    checkpoint(writer, "truncate");
    this.#last = read("user_version");
    this.next();
    this.keep();
    markOpen(file);
  }

  /** Numbers the transaction that ends. */
  next(): void {
    this.#writer.database.exec(`pragma user_version = ${nextWrite(this.#last)}`);
  }

  /** The transaction was committed. Those that fail leave no gap. */
  keep(): void {
    this.#last = nextWrite(this.#last);
  }
}

export type Libsql = InstanceType<typeof Database>;

interface Connection {
  readonly database: Libsql;
  readonly sql: Sql;
}

/** `cache`: KiB of pages in memory. */
function connect(file: string, { durable, cache }: { durable: boolean; cache: number }): Connection {
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000");
  database.exec("pragma journal_mode = wal");
  database.exec(`pragma synchronous = ${durable ? "full" : "off"}`);
  database.exec(`pragma cache_size = -${cache}`);
  const prepared = preparedWith((text) => allOf(database, text));
  const preparedForOne = preparedWith((text) => firstOf(database, text));
  return {
    database,
    sql: {
      writer: new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }),
      contains: containsByGlob,
      // Without statistics, SQLite would prefer all rows of an account to hundreds of look-ups.
      unindexed: (column) => sql`+${column}`,
      textIndex: trigramIndex,
      texts: new Texts(),
      run: async (text, parameters) => prepared.get(text)(parameters),
      first: (text, parameters) => {
        try {
          return preparedForOne.get(text)(parameters);
        } catch (error) {
          // After a failed run, `get` would reuse the parameters of that run.
          preparedForOne.forget(text);
          throw error;
        }
      },
    },
  };
}

interface Statements<Run> {
  get(text: string): Run;
  forget(text: string): void;
}

/** Statements are prepared once: there are few of them, and preparing one costs more than running it. */
function preparedWith<Run>(prepare: (text: string) => Run): Statements<Run> {
  const statements = new Map<string, Run>();
  return {
    get: (text) => {
      const prepared = statements.get(text);
      if (prepared !== undefined) return prepared;
      const [oldest] = statements.keys();
      if (statements.size >= maxStatements && oldest !== undefined) statements.delete(oldest);
      const run = prepare(text);
      statements.set(text, run);
      return run;
    },
    forget: (text) => void statements.delete(text),
  };
}

/** Prepares a query for all rows. */
function allOf(database: Libsql, text: string): (parameters: readonly unknown[]) => readonly Cells[] {
  const statement = database.prepare(text);
  if (statement.reader) {
    // Lists of columns cost half of objects.
    const rows = statement.raw();
    return (parameters) => rows.all(parameters) as Cells[];
  }
  return (parameters) => {
    statement.run(parameters);
    return [];
  };
}

/**
 * Prepares a query for one row, for a fraction of the cost of a list of one. The statement is separate: after an `all` of the same one, `get` would
 * reuse the parameters of that.
 */
function firstOf(database: Libsql, text: string): (parameters: readonly unknown[]) => Cells | undefined {
  const row = database.prepare(text).raw();
  return (parameters) => row.get(parameters) as Cells | undefined;
}

/** Each takes some 20 KB. */
const maxStatements = 250;

/** Numbers of sequences. They are counted in memory, and written once per transaction. */
class SequenceNumbers {
  readonly #database: Sql;
  readonly #last = new Map<string, number>();
  readonly #used = new Set<string>();

  constructor(database: Sql) {
    this.#database = database;
  }

  async next(name: string): Promise<number> {
    const number = (this.#last.get(name) ?? (await this.#stored(name))) + 1;
    this.#last.set(name, number);
    this.#used.add(name);
    return number;
  }

  async write(): Promise<void> {
    const numbers = [...this.#used].flatMap((name) => [name, this.#last.get(name)]);
    if (numbers.length > 0) await this.#database.run(textOf(keepNumbers(this.#used.size), this.#database), numbers);
    this.#used.clear();
  }

  /** Resets numbers of failed transactions, which no response contains. */
  forget(): void {
    this.#last.clear();
    this.#used.clear();
  }

  async #stored(name: string): Promise<number> {
    const row = await this.#database.first(textOf(findNumber, this.#database), [name]);
    return Number(row?.[0] ?? 0);
  }
}

const findNumber: Statement = {
  does: "find a number",
  write: () => sql`select value from sequences where name = ${""}`,
};

const keepNumbers = (many: number): Statement => ({
  does: `keep ${many} numbers`,
  write: () => {
    const rows = Array.from({ length: many }, () => sql`(${""}, ${0})`);
    return sql`insert into sequences (name, value) values ${sql.join(rows)} on conflict (name) do update set value = excluded.value`;
  },
});

/** For what adds no rows of its own. */
export async function noIds(): Promise<number> {
  throw new Error("this transaction creates no ids");
}

/** Reports errors of the disk as an unavailable store. */
function asStoreError<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => {
    throw isOfTheDisk(error) ? new StoreUnavailableError("the store cannot be used now", { cause: error }) : error;
  });
}

function isOfTheDisk(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|NOTADB|CORRUPT|PROTOCOL)/.test(code);
}
