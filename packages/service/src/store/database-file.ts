import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import type { LogContent } from "./write-ahead-log.js";

/** Which store a file belongs to, and up to which write. */
export interface StorePosition {
  /** A random number that each store gets when it is created. 0 for a store of an earlier version of the service. */
  readonly store: number;
  /** The number of the last write, which wraps around. */
  readonly write: number;
  /** The number of pages of the database. */
  readonly pages: number;
}

/** Finds damage in the file of a database, with its log. Undefined if both together have all writes up to the expected position. */
export function findDatabaseDamage(
  file: string,
  log: LogContent | undefined,
  expected: StorePosition | undefined,
): string | undefined {
  if (!existsSync(file)) return `${file} is missing`;
  const database = readDatabase(file);
  if (database === undefined) return `${file} is empty, or has no valid header`;
  const { store, write, filePages } = database;
  const [first, last] = (log?.firstPages ?? []).map(positionIn);
  // A database gets its number in the log. A process that is killed while it opens the store may not have moved it to the file.
  const isNumbered = expected === undefined || store !== 0;
  if (first !== undefined && last !== undefined) {
    if (isNumbered && first.store !== store && last.store !== store)
      return `${file} and ${file}-wal belong to different stores`;
    if (isBefore(write + 1, first.write)) return `${file} is older than ${file}-wal`;
    if (isBefore(last.write, write)) return `${file}-wal is older than ${file}`;
  }
  const pages = log?.databasePages ?? Math.max(database.pages, expected?.pages ?? 0);
  for (let page = filePages + 1; page <= pages; page += 1)
    if (log?.pages.has(page) !== true) return `${file} ends before page ${page} of ${pages}`;
  if (expected === undefined) return undefined;
  // 0: the store had no number when an earlier version of the service closed it, or when this one began to open it.
  if (expected.store !== 0 && (last?.store ?? store) !== expected.store)
    return `${file} belongs to another store than ${file}-closed`;
  return isBefore(last?.write ?? write, expected.write) ? `${file} is older than ${file}-closed` : undefined;
}

/** The position after the last write in a database and its log. */
export function positionOf(file: string, log: LogContent | undefined): StorePosition | undefined {
  const last = log?.firstPages?.[1];
  if (last === undefined) return readDatabase(file);
  return { ...positionIn(last), pages: log?.databasePages ?? 0 };
}

/** The number of the write after another. */
export function nextWrite(write: number): number {
  return (write + 1) % writeNumbers;
}

// The version that SQLite stores for its user has 31 bits without the sign.
const writeNumbers = 2 ** 31;

/** Whether a number of a write is before another, across the end of the numbers. */
function isBefore(write: number, other: number): boolean {
  const distance = (((other - write) % writeNumbers) + writeNumbers) % writeNumbers;
  return distance > 0 && distance < writeNumbers / 2;
}

interface DatabaseFile extends StorePosition {
  /** The number of complete pages in the file. */
  readonly filePages: number;
}

/** Reads the header. Undefined without a complete first page. */
function readDatabase(file: string): DatabaseFile | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = Buffer.alloc(databaseHeaderBytes);
  const opened = openSync(file, "r");
  const read = readSync(opened, bytes, 0, databaseHeaderBytes, 0);
  const { size } = fstatSync(opened);
  closeSync(opened);
  if (read < databaseHeaderBytes || bytes.toString("latin1", 0, 16) !== "SQLite format 3\0") return undefined;
  // 1 stands for 65,536, which does not fit.
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
  const filePages = Math.floor(size / pageSize);
  return filePages === 0 ? undefined : { ...positionIn(bytes), filePages };
}

/** @see https://www.sqlite.org/fileformat.html#the_database_header */
function positionIn(firstPage: Buffer): StorePosition {
  // Other programs may change the file without the number of its pages.
  const isCounted = firstPage.readUInt32BE(24) === firstPage.readUInt32BE(92);
  return {
    store: firstPage.readInt32BE(68),
    write: firstPage.readInt32BE(60),
    pages: isCounted ? firstPage.readUInt32BE(28) : 0,
  };
}

const databaseHeaderBytes = 100;
