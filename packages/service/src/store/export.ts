import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { lockToRead, openReader, type BackupPlaces } from "./backup.js";
import { syncFolder } from "./clean-stop.js";
import { textOfCell, type Cell, type Cells } from "./database.js";
import { readParts } from "./image-files.js";
import { programVersion } from "./migrations.js";
import { channel } from "./postgres.js";
import type { ImageRow } from "./rows.js";
import { databaseOf } from "./sqlite.js";
import { idsAtOnce, sequences, tables, type Table } from "./tables.js";

/** Where a store and the data of its images are. */
export interface StorePlace extends Omit<BackupPlaces, "file"> {
  /** The database that has the rows, instead of the folder. */
  readonly databaseUrl: string | undefined;
}

export const exportFormat = "cloud-compute export";

/** The last line of an export. Without it, the export was cut. */
export interface ExportEnd {
  /** The number of lines before it. */
  readonly lines: number;
  readonly rows: number;
  /** The number of images with data. */
  readonly images: number;
  /** The next number of each sequence. */
  readonly next: Readonly<Record<string, number>>;
}

/** A store cannot be exported. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}

/**
 * Reads a store at one moment, as lines of JSON: a head, the data of images in parts, the rows without what follows from them, and an end. A process
 * may use the store meanwhile if `isShared`.
 *
 * @throws ExportError, BackupError, InUseError, or LostWritesError if acknowledged writes may be lost
 */
export async function* exportStore(
  { folder, databaseUrl, imageFile }: StorePlace,
  { isShared }: { readonly isShared: boolean },
): AsyncGenerator<string> {
  const moment = databaseUrl === undefined ? momentIn(folder, isShared) : await momentOn(databaseUrl, isShared);
  const end = { lines: 1, rows: 0, images: 0 };
  try {
    await assertVersion(moment);
    yield JSON.stringify({ format: exportFormat, schema: programVersion });
    // Before the rows, so that an import has the data of an image when it adds its row.
    for (const { number, file } of await imagesWithData(moment)) {
      for (const bytes of dataOf(imageFile({ number, file }))) {
        yield JSON.stringify({ image: number, file, bytes: bytes.toString("base64") });
        end.lines += 1;
      }
      end.images += 1;
    }
    for await (const line of rowLines(moment)) {
      yield line;
      end.lines += 1;
      end.rows += 1;
    }
    yield JSON.stringify({ ...end, next: await nextNumbers(moment) });
  } finally {
    await moment.close();
  }
}

/**
 * Writes lines to standard output for `-`, else to a new file for its owner only, which gets its name when all of it is on disk.
 * Returns the last line.
 */
export async function saveLines(
  lines: AsyncIterable<string>,
  file: string,
  stdout: NodeJS.WritableStream,
): Promise<ExportEnd> {
  let last = "";
  const text = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${(last = line)}\n`;
  };
  if (file === "-") await pipeline(text, stdout, { end: false });
  else await saveNew(file, (pending) => pipeline(text, createWriteStream(pending, { mode: 0o600, flush: true })));
  return JSON.parse(last) as ExportEnd;
}

async function saveNew(file: string, write: (pending: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw new ExportError(`${file} exists; choose another name, or delete it.`);
  const pending = `${file}-pending`;
  try {
    await write(pending);
    renameSync(pending, file);
    syncFolder(file);
  } finally {
    rmSync(pending, { force: true });
  }
}

/** A store at one moment. */
interface Moment {
  readonly rowsOf: (query: string) => Iterable<Cells> | AsyncIterable<Cells>;
  /** The query of the next number of each sequence. */
  readonly nextNumbers: string;
  readonly close: () => Promise<void> | void;
}

function momentIn(folder: string, isShared: boolean): Moment {
  const lock = lockToRead(folder, { isShared });
  const database = openReader(databaseOf(folder));
  database.exec("begin");
  return {
    rowsOf: (query) => database.prepare(query).raw().iterate([]) as Iterable<Cells>,
    nextNumbers: "select name, value + 1 from sequences",
    close: () => {
      database.close();
      lock?.close();
    },
  };
}

async function momentOn(url: string, isShared: boolean): Promise<Moment> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (!isShared) await assertUnused(client);
    await client.query("begin isolation level repeatable read read only");
  } catch (error) {
    await client.end();
    throw error;
  }
  // A sequence counts blocks. The last value of an unused one is its first number.
  const next = `last_value + case when is_called then ${idsAtOnce} else 0 end`;
  return {
    rowsOf: (query) => fetchRows(client, query),
    nextNumbers: sequences.map((name) => `select '${name}', ${next} from "ids_${name}"`).join(" union all "),
    close: () => client.end(),
  };
}

async function assertUnused(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and query = $1",
    [`listen ${channel}`],
  );
  if (rowCount !== 0) throw new ExportError("processes of the service use the database; end them before.");
}

async function* fetchRows(client: Client, query: string): AsyncGenerator<Cells> {
  await client.query(`declare exported cursor for ${query}`);
  let rows: readonly Cells[];
  do {
    ({ rows } = await client.query<Cell[]>({ text: "fetch 100 from exported", rowMode: "array" }));
    yield* rows;
  } while (rows.length > 0);
  await client.query("close exported");
}

async function assertVersion({ rowsOf }: Moment): Promise<void> {
  let version = 0;
  try {
    for await (const [name] of rowsOf("select max(name) from kysely_migration"))
      version = Number.parseInt(String(name), 10);
  } catch (error) {
    throw new ExportError("there is no store of the service", { cause: error });
  }
  if (version !== programVersion)
    throw new ExportError(
      `the store has schema ${version}, and this program is for schema ${programVersion}. Use the program of a later schema; bring an earlier one to this schema with \`cloud-compute migrate\`.`,
    );
}

async function imagesWithData({ rowsOf }: Moment): Promise<readonly Pick<ImageRow, "number" | "file">[]> {
  const images: Pick<ImageRow, "number" | "file">[] = [];
  for await (const [doc] of rowsOf("select doc from images")) {
    const { number, file } = JSON.parse(String(doc)) as ImageRow;
    if (file !== null) images.push({ number, file });
  }
  return images;
}

function dataOf(path: string): Generator<Buffer> {
  if (existsSync(path)) return readParts(path);
  throw new ExportError(
    `The image data in ${path} are missing. Name their folder, or begin again if the image was deleted meanwhile.`,
  );
}

async function* rowLines({ rowsOf }: Moment): AsyncGenerator<string> {
  for (const [name, { of }] of Object.entries<Table>(tables)) {
    const query = `select doc${of === "account" ? ", account" : ""} from "${name}"`;
    for await (const [doc, account] of rowsOf(query)) {
      const owner = account === undefined ? "" : `"account":${JSON.stringify(textOfCell(String(account)))},`;
      yield `{"table":"${name}",${owner}"row":${String(doc)}}`;
    }
  }
}

async function nextNumbers({ rowsOf, nextNumbers: query }: Moment): Promise<ExportEnd["next"]> {
  const next: Record<string, number> = {};
  for await (const [name, number] of rowsOf(query)) next[String(name)] = Number(number);
  return next;
}
