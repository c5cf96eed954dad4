import { existsSync } from "node:fs";
import { CountChanges } from "./counts.js";
import { exportFormat, type ExportEnd, type StorePlace } from "./export.js";
import { ImageFiles } from "./image-files.js";
import { programVersion } from "./migrations.js";
import { openPostgres } from "./postgres.js";
import { noIds, openSqlite } from "./sqlite.js";
import type { Filling } from "./store.js";
import { sequences, storedTables, tables, type TableName } from "./tables.js";
import type { TransactionContext } from "./transaction-context.js";
import { createTransaction } from "./transaction.js";

/** Lines cannot be imported. The store has no rows of them. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/**
 * Fills a store without rows with the lines of an export, completely or not at all. Returns the last line.
 *
 * @throws ImportError, or InUseError if a process uses the folder
 */
export async function importStore(place: StorePlace, lines: AsyncGenerator<string>): Promise<ExportEnd> {
  try {
    assertHead((await lines.next()).value);
    const { folder, databaseUrl, imageFile } = place;
    const store = databaseUrl === undefined ? await openSqlite(folder) : await openPostgres(databaseUrl);
    try {
      return await store.fill((filling) => new Import(filling, imageFile).run(lines));
    } finally {
      await store.close();
    }
  } finally {
    await lines.return(undefined);
  }
}

/** Splits the chunks of a text into lines, none of which may take too much memory. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = "", ...others] = chunk.split("\n");
    parts.push(first);
    length += first.length;
    for (const other of others) {
      yield parts.join("");
      parts = [other];
      ({ length } = other);
    }
    if (length > maxLineCharacters) throw new ImportError(`a line has more than ${maxLineCharacters} characters`);
  }
  if (length > 0) yield parts.join("");
}

/** The longest lines have rendered zones. */
const maxLineCharacters = 67_108_864;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(text: string): Fields {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("it is not an object");
  return value as Fields;
}

function assertHead(line: string | undefined): void {
  const { format, schema } = line?.startsWith('{"format"') === true ? fieldsOf(line) : {};
  if (format !== exportFormat) throw new ImportError("these are not the lines of `cloud-compute export`.");
  if (schema !== programVersion)
    throw new ImportError(
      `the lines have schema ${String(schema)}, and this program is for schema ${programVersion}. Import them with the program that exported them, and migrate the store then.`,
    );
}

/** The lines so far, and what they have. */
class Import {
  readonly #filling: Filling;
  readonly #imageFile: StorePlace["imageFile"];
  readonly #files = new ImageFiles();
  /** By account. */
  readonly #counts = new Map<string, CountChanges>();
  #number = 1;

  constructor(filling: Filling, imageFile: StorePlace["imageFile"]) {
    this.#filling = filling;
    this.#imageFile = imageFile;
  }

  /** Takes the lines after the head. Returns the last one. */
  async run(lines: AsyncIterable<string>): Promise<ExportEnd> {
    await this.#assertEmpty();
    let end: ExportEnd | undefined;
    try {
      for await (const line of lines) {
        this.#number += 1;
        if (end !== undefined) throw new ImportError(`line ${this.#number} follows the end.`);
        end = await this.#take(line).catch((error: unknown) => {
          throw new ImportError(`line ${this.#number}`, { cause: error });
        });
      }
      if (end !== undefined) return end;
      throw new ImportError(`the end is missing after line ${this.#number}: the export was cut. Export again.`);
    } catch (error) {
      this.#files.remove();
      throw error;
    }
  }

  async #assertEmpty(): Promise<void> {
    for (const name of storedTables)
      if ((await this.#filling.database.run(`select 1 from "${name}" limit 1`, [])).length > 0)
        throw new ImportError("the store has rows. Import into an empty folder, or into a database without a store.");
  }

  /** Returns the end if the line is the last one. */
  async #take(text: string): Promise<ExportEnd | undefined> {
    const line = fieldsOf(text);
    if ("image" in line) this.#writeData(line);
    else if ("table" in line) await this.#addRow(line);
    else if ("next" in line) return this.#end(line);
    else throw new Error("it is no line of an export");
    return undefined;
  }

  #writeData({ image, file, bytes }: Fields): void {
    this.#files.write(this.#pathOf(image, file), Buffer.from(String(bytes), "base64"));
  }

  #pathOf(number: unknown, file: unknown): string {
    return this.#imageFile({ number: number as number, file: file as string });
  }

  async #addRow(line: Fields): Promise<void> {
    const { table, account, row } = readRow(line);
    if (table === "images") this.#assertData(row);
    const { database } = this.#filling;
    const counts = this.#counts.get(account ?? "") ?? new CountChanges();
    this.#counts.set(account ?? "", counts);
    const remember: TransactionContext["remember"] = (_, find) => find();
    const tx = createTransaction({ now: 0, account, database, counts, nextId: noIds, onWrite: () => {}, remember });
    // A collection derives columns from any row.
    await (tx as unknown as Readonly<Record<TableName, { add(row: Fields): Promise<unknown> }>>)[table].add(row);
    if (this.#number % linesAtOnce === 0) await this.#writeCounts();
  }

  /** The data of images are before their rows. */
  #assertData({ number, file }: Fields): void {
    this.#files.finish();
    if (file !== null && !existsSync(this.#pathOf(number, file))) throw new Error("the data of the image are missing");
  }

  async #writeCounts(): Promise<void> {
    for (const [account, counts] of this.#counts) await counts.write(account, this.#filling.database);
    this.#counts.clear();
  }

  async #end(end: Fields): Promise<ExportEnd> {
    const { lines, next } = end;
    if (lines !== this.#number - 1) throw new Error(`${String(lines)} lines were exported before it`);
    this.#files.finish();
    await this.#writeCounts();
    for (const [name, number] of Object.entries(next as ExportEnd["next"])) {
      if (!sequences.includes(name)) throw new Error(`there is no sequence ${JSON.stringify(name)}`);
      if (!isCount(number)) throw new Error(`${String(number)} is no number of a sequence`);
      await this.#filling.setNext(name, number);
    }
    return end as unknown as ExportEnd;
  }
}

/** The lines after which numbers of rows are written. */
const linesAtOnce = 1000;

interface ImportedRow {
  readonly table: TableName;
  readonly account: string | null;
  readonly row: Fields;
}

function readRow({ table, account = null, row }: Fields): ImportedRow {
  const name = Object.keys(tables).find((each) => each === table) as TableName | undefined;
  if (name === undefined) throw new Error(`there is no table ${JSON.stringify(table)}`);
  const { of, id } = tables[name];
  const fields = (row ?? {}) as Fields;
  if (id === "integer" ? !isCount(fields["id"]) : typeof fields["id"] !== "string")
    throw new Error(`a row of ${name} has ${id === "integer" ? "a number" : "a text"} as its id`);
  if (of === "account" ? typeof account !== "string" : account !== null)
    throw new Error(`a row of ${name} has ${of === "account" ? "an" : "no"} account`);
  return { table: name, account: account as string | null, row: fields };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
