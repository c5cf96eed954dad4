import { join } from "node:path";
import Database from "libsql";
import { memoryStore } from "@plumbline/server-runtime";
import { Kysely, sql, SqliteDialect } from "kysely";
import { findLoss, markClosed, markOpen, type LostWritesError } from "./clean-stop.js";
import { containsByGlob } from "./contains.js";
import { privateFile, privateFolder } from "./private-files.js";
import { rowsOf, textOf, type Cells, type Sql, type Statement } from "./database.js";
import { migrate } from "./migrations.js";
import { Remembered } from "./remembered.js";
import { Unavailable, type Store } from "./store.js";
import { tables, type TableName } from "./tables.js";
import { txOf } from "./tx.js";
import { Writes } from "./writes.js";

export interface SqliteOptions {
  /** Goes on where acknowledged writes may be lost, with what is left, once this is called. Without it the store is not opened. */
  readonly acceptLoss?: ((loss: LostWritesError) => void) | undefined;
}

/**
 * A store in one file below a folder, or, with `:memory:`, in no file. One process at a time has it.
 *
 * @throws LostWritesError when the log of a store that was not closed is missing or damaged.
 */
export async function openSqlite(folder: string, { acceptLoss }: SqliteOptions = {}): Promise<Store> {
  const inMemory = folder === ":memory:";
  if (!inMemory) privateFolder(folder);
  const file = inMemory ? folder : join(folder, "cloud-compute.db");
  const lock = inMemory ? undefined : locked(folder);
  if (!inMemory) begin(file, { lock, acceptLoss });
  // What SQLite writes beside it has the permissions of the file.
  if (!inMemory) privateFile(file);
  const writer = connect(file, { durable: !inMemory, cache: 4096 });
  if (!inMemory) checkpoint(writer, "truncate");
  await migrate(writer.sql.writer, "sqlite");
  if (!inMemory) {
    beginLog(writer);
    markOpen(file);
  }
  const remembered = new Remembered();
  const written = new Set<TableName>();
  const numbers = new Numbers(writer.sql);
  const writes = new Writes({
    sql: writer.sql,
    isWriting: () => writer.database.inTransaction,
    ending: () => numbers.write(),
    ended: (isKept) => {
      if (!isKept) numbers.forget();
      remembered.forget(written);
      written.clear();
    },
  });
  // Readers of a file see what has been committed, whatever is being written meanwhile. What is in memory has one connection only: each query waits for
  // its turn, and not a whole read, since what is read there may go on to write elsewhere.
  const reader = inMemory ? undefined : connect(file, { durable: true, cache: 6144 });
  const reading: Sql = reader?.sql ?? {
    ...writer.sql,
    run: (text, parameters) => writes.between(() => writer.sql.run(text, parameters)),
    first: (text, parameters) => writes.between(async () => writer.sql.first(text, parameters)),
  };
  let rates = memoryStore();
  const reads = {
    database: reading,
    nextId: noIds,
    alone,
    wrote: () => {},
    remember: remembered.find.bind(remembered),
  };
  const writing = (now: number) =>
    txOf({
      now,
      database: writer.sql,
      nextId: (name) => numbers.next(name),
      alone,
      wrote: (name) => void written.add(name),
      // What is found here may never be there for others.
      remember: (_, find) => find(),
    });
  const read: Store["read"] = (now, run) => told(() => run(txOf({ now, ...reads })));
  return {
    read,
    remember: (sought, find) => remembered.find(sought, () => read(sought.now, find)),
    write: ({ now }, run) => told(() => writes.write(() => run(writing(now)))),
    reset: async (now, fill) => {
      await told(() =>
        writes.write(async () => {
          for (const name of [...Object.keys(tables), "items", "rate_hits", "sequences"])
            await rowsOf(sql`delete from ${sql.table(name)}`, writer.sql);
          numbers.forget();
          for (const name of Object.keys(tables) as TableName[]) written.add(name);
          await fill(writing(now));
        }),
      );
      rates = memoryStore();
    },
    forgetsRates: true,
    rates: {
      hit: (one) => rates.hit(one),
      undo: (one) => rates.undo(one),
      forget: (key) => rates.forget(key),
    },
    onNotice: () => {},
    notice: async () => {},
    close: async () => {
      reader?.database.close();
      await writes.after(async () => {
        // To close may remove the log, which is needed where the disk is full and nothing can be moved out of it.
        if (inMemory || isSaved(file, writer)) writer.database.close();
      });
      lock?.close();
    },
  };
}

/**
 * Keeps other processes out of a folder: rates are counted in the memory of the one that has it. The system lets go of the lock when the process ends,
 * however it does.
 */
function locked(folder: string): { close(): void } {
  const file = join(folder, "lock.db");
  privateFile(file);
  const database = new Database(file);
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    throw new InUse(`another process has the store in ${folder}; end it, or use another folder`, { cause: error });
  }
  return database;
}

/** Another process has the folder. */
export class InUse extends Error {
  override readonly name = "InUse";
}

/** Looks for what was lost, and then says that nothing is needed but the file: until there is a new log nothing is acknowledged. */
function begin(
  file: string,
  { lock, acceptLoss }: SqliteOptions & { readonly lock: { close(): void } | undefined },
): void {
  const loss = findLoss(file);
  if (loss !== undefined && acceptLoss === undefined) {
    lock?.close();
    throw loss;
  }
  if (loss !== undefined) acceptLoss?.(loss);
  markClosed(file);
}

/** Moves what is in the log to the file of the database. Gives whether all of it is there now. */
function checkpoint({ database }: Connection, mode: "full" | "truncate"): boolean {
  const [isBusy, logged, moved] = database.prepare(`pragma wal_checkpoint(${mode})`).raw().get([]) as number[];
  return isBusy === 0 && logged === moved;
}

/** Saves all of a log in the file of the database, and says so. A process that is killed meanwhile leaves the log, or the marker. */
function isSaved(file: string, writer: Connection): boolean {
  try {
    if (!checkpoint(writer, "full")) return false;
    markClosed(file);
    // Statements that are still there keep a connection, and with it the log.
    return checkpoint(writer, "truncate");
  } catch {
    return false;
  }
}

/** The first transaction of a log: from now on there is one. */
function beginLog({ database }: Connection): void {
  const [version] = database.prepare("pragma user_version").raw().get([]) as number[];
  database.exec(`pragma user_version = ${((version ?? 0) + 1) % 2 ** 31}`);
}

type Libsql = InstanceType<typeof Database>;

interface Connection {
  readonly database: Libsql;
  readonly sql: Sql;
}

interface Kept {
  readonly durable: boolean;
  /** KiB of pages that a connection keeps in memory. */
  readonly cache: number;
}

function connect(file: string, { durable, cache }: Kept): Connection {
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
      texts: new Map(),
      run: async (text, parameters) => prepared.of(text)(parameters),
      first: (text, parameters) => {
        try {
          return preparedForOne.of(text)(parameters);
        } catch (error) {
          // After one that failed, `get` answers with the parameters of that one.
          preparedForOne.forget(text);
          throw error;
        }
      },
    },
  };
}

interface Statements<Run> {
  of(text: string): Run;
  forget(text: string): void;
}

/** Statements are made once: there are few of them, and making one costs more than running it. */
function preparedWith<Run>(prepare: (text: string) => Run): Statements<Run> {
  const made = new Map<string, Run>();
  return {
    of: (text) => {
      const known = made.get(text);
      if (known !== undefined) return known;
      const [oldest] = made.keys();
      if (made.size >= mostStatements && oldest !== undefined) made.delete(oldest);
      const run = prepare(text);
      made.set(text, run);
      return run;
    },
    forget: (text) => void made.delete(text),
  };
}

/** What gives all rows. */
function allOf(database: Libsql, text: string): (parameters: readonly unknown[]) => readonly Cells[] {
  const statement = database.prepare(text);
  if (statement.reader) {
    // Lists of columns cost half of what objects do.
    const rows = statement.raw();
    return (parameters) => rows.all(parameters) as Cells[];
  }
  return (parameters) => {
    statement.run(parameters);
    return [];
  };
}

/**
 * What gives one row, for a fraction of what a list of one costs. The statement is its own: after an `all` of the same one, `get` answers with the
 * parameters of that.
 */
function firstOf(database: Libsql, text: string): (parameters: readonly unknown[]) => Cells | undefined {
  const row = database.prepare(text).raw();
  return (parameters) => row.get(parameters) as Cells | undefined;
}

/** Each takes some 20 KB. */
const mostStatements = 250;

/** Gives the numbers of sequences. They are counted in memory, and written once for all that a transaction gave. */
class Numbers {
  readonly #database: Sql;
  readonly #last = new Map<string, number>();
  readonly #given = new Set<string>();

  constructor(database: Sql) {
    this.#database = database;
  }

  async next(name: string): Promise<number> {
    const number = (this.#last.get(name) ?? (await this.#stored(name))) + 1;
    this.#last.set(name, number);
    this.#given.add(name);
    return number;
  }

  async write(): Promise<void> {
    for (const name of this.#given)
      await this.#database.run(textOf(keepNumber, this.#database), [name, this.#last.get(name)]);
    this.#given.clear();
  }

  /** What was given since the last transaction that is kept was given to nobody. */
  forget(): void {
    this.#last.clear();
    this.#given.clear();
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

const keepNumber: Statement = {
  does: "keep a number",
  write: () =>
    sql`insert into sequences (name, value) values (${""}, ${0}) on conflict (name) do update set value = excluded.value`,
};

/** One write at a time is what this store has. */
async function alone(): Promise<void> {}

async function noIds(): Promise<number> {
  throw new Error("nothing is made where things are only read");
}

/** What the disk refuses is told as such. */
function told<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => {
    throw isOfTheDisk(error) ? new Unavailable("the store cannot be used now", { cause: error }) : error;
  });
}

function isOfTheDisk(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|NOTADB|CORRUPT|PROTOCOL)/.test(code);
}
