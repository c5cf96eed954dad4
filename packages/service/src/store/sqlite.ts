import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { memoryStore } from "@plumbline/server-runtime";
import { Kysely, sql, SqliteDialect } from "kysely";
import { rowsOf, type Sql } from "./database.js";
import { migrate } from "./migrations.js";
import { Unavailable, type Store } from "./store.js";
import { tables } from "./tables.js";
import { txOf } from "./tx.js";

/** A store in one file below a folder, or, with `:memory:`, in no file. One process at a time has it. */
export async function openSqlite(folder: string): Promise<Store> {
  const inMemory = folder === ":memory:";
  if (!inMemory) mkdirSync(folder, { recursive: true });
  const file = inMemory ? folder : join(folder, "cloud-compute.db");
  const lock = inMemory ? undefined : locked(folder);
  const writer = connect(file, { durable: !inMemory });
  await migrate(writer, "sqlite");
  // Readers of a file see what has been committed, whatever is being written meanwhile. What is in memory has one connection only: each query waits for
  // its turn, and not a whole read, since what is read there may go on to write elsewhere.
  const reader = inMemory ? writer : connect(file, { durable: true });
  const queue = new Turns();
  let rates = memoryStore();
  const write = <T>(run: (database: Sql) => Promise<T>): Promise<T> =>
    queue.run(() => told(() => writer.transaction().execute(run)));
  return {
    read: (now, run) => told(() => run(txOf({ now, database: reader, nextId: noIds, alone }))),
    write: ({ now }, run) =>
      write((database) => run(txOf({ now, database, nextId: (name) => nextId(database, name), alone }))),
    reset: (now, fill) =>
      write(async (database) => {
        for (const name of [...Object.keys(tables), "items", "rate_hits", "sequences"])
          await sql`delete from ${sql.table(name)}`.execute(database);
        await fill(txOf({ now, database, nextId: (name) => nextId(database, name), alone }));
        rates = memoryStore();
      }),
    forgetsRates: true,
    rates: { hit: (one) => rates.hit(one) },
    onNotice: () => {},
    notice: async () => {},
    close: async () => {
      if (reader !== writer) await reader.destroy();
      await queue.run(() => writer.destroy());
      lock?.close();
    },
  };
}

/**
 * Keeps other processes out of a folder: rates are counted in the memory of the one that has it. The system lets go of the lock when the process ends,
 * however it does.
 */
function locked(folder: string): { close(): void } {
  const database = new Database(join(folder, "lock.db"));
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

function connect(file: string, { durable }: { readonly durable: boolean }): Sql {
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000");
  database.exec("pragma journal_mode = wal");
  database.exec(`pragma synchronous = ${durable ? "full" : "off"}`);
  database.exec("pragma cache_size = -16384");
  return new Kysely<unknown>({ dialect: new SqliteDialect({ database: withPrepared(database) }) });
}

/** Statements are made once: there are few of them, and making one costs more than running it. */
function withPrepared(
  database: InstanceType<typeof Database>,
): ConstructorParameters<typeof SqliteDialect>[0]["database"] & object {
  const made = new Map<string, ReturnType<typeof database.prepare>>();
  // What cannot be written is rolled back at once by the database, and then there is nothing to roll back.
  const rollback = {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run: () => {
      if (database.inTransaction) database.exec("rollback");
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
  return {
    close: () => {
      database.close();
    },
    prepare: (text: string) => {
      if (text === "rollback") return rollback;
      const known = made.get(text);
      if (known !== undefined) return known;
      if (made.size >= mostStatements) made.clear();
      const statement = database.prepare(text);
      made.set(text, statement);
      return statement;
    },
  };
}

const mostStatements = 1000;

async function nextId(database: Sql, name: string): Promise<number> {
  const query = sql<{
    value: number;
  }>`insert into sequences (name, value) values (${name}, 1) on conflict (name) do update set value = value + 1 returning value`;
  const [row] = await rowsOf(query, database);
  if (row === undefined) throw new Error(`${name} has no next id`);
  return row.value;
}

/** One write at a time is what this store has. */
async function alone(): Promise<void> {}

async function noIds(): Promise<number> {
  throw new Error("nothing is made where things are only read");
}

/** Runs one after the other. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task, task);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** What the disk refuses is told as such. */
async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isOfTheDisk(error) ? new Unavailable("the store cannot be used now", { cause: error }) : error;
  }
}

function isOfTheDisk(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|NOTADB|CORRUPT|PROTOCOL)/.test(code);
}
