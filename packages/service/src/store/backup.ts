import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { findLoss, markClosed, syncFolder } from "./clean-stop.js";
import { positionOf } from "./database-file.js";
import { ImageFiles, readParts } from "./image-files.js";
import { privateFile, privateFolder } from "./private-files.js";
import type { ImageRow } from "./rows.js";
import { databaseOf, InUseError, lockFolder, type Libsql } from "./sqlite.js";

export interface BackupPlaces {
  /** The folder of the store. */
  readonly folder: string;
  /** Returns the path of the data of an image. */
  readonly imageFile: (image: Pick<ImageRow, "number" | "file">) => string;
  /** The backup. */
  readonly file: string;
}

/** A backup cannot be made or restored. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * Saves a store in one file: a database of SQLite with the data of images in a table of its own. A process may use the store meanwhile. The backup
 * has all writes that were acknowledged before it began, and possibly later ones. Returns the number of images with data.
 *
 * @throws BackupError, or LostWritesError if no process uses the store and acknowledged writes may be lost
 */
export function backUp({ folder, imageFile, file }: BackupPlaces): number {
  if (existsSync(file)) throw new BackupError(`${file} exists; choose another name, or delete it.`);
  const pending = `${file}-pending`;
  const lock = lockToRead(folder, { isShared: true });
  try {
    let missing: string | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      copyRows(databaseOf(folder), pending);
      const result = copyImagesFrom(imageFile, pending);
      if (typeof result === "number") {
        syncFile(pending);
        renameSync(pending, file);
        syncFolder(file);
        return result;
      }
      missing = result;
    }
    throw new BackupError(`The image data in ${String(missing)} are missing. Name their folder with --upload-dir.`);
  } finally {
    rmSync(pending, { force: true });
    lock?.close();
  }
}

/** An image may be deleted after its row was copied and before its data are. Then the backup begins again. */
const maxAttempts = 10;

/**
 * Locks a store for reading. Undefined if a process uses it, which `isShared` permits.
 *
 * @throws BackupError without a store, InUseError, or LostWritesError
 */
export function lockToRead(folder: string, { isShared }: { readonly isShared: boolean }): Libsql | undefined {
  const database = databaseOf(folder);
  if (!existsSync(database)) throw new BackupError(`${folder} has no store; name its folder.`);
  let lock: Libsql;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (isShared && error instanceof InUseError) return undefined;
    throw error;
  }
  const loss = findLoss(database);
  if (loss === undefined) return lock;
  lock.close();
  throw loss;
}

/** Copies the committed rows at one moment. */
function copyRows(database: string, file: string): void {
  rmSync(file, { force: true });
  privateFile(file);
  const reader = openReader(database);
  try {
    reader.prepare("vacuum into ?").run([file]);
  } finally {
    reader.close();
  }
}

/** Returns the number of images with data, or the path of one whose data are missing. */
function copyImagesFrom(imageFile: BackupPlaces["imageFile"], file: string): number | string {
  const database = new Database(file);
  try {
    // The file has no name yet, and goes if anything fails.
    database.exec("pragma journal_mode = off");
    database.exec(
      "create table image_data (number integer, file text, part integer, bytes blob, primary key (number, part))",
    );
    database.exec("begin");
    let count = 0;
    for (const image of imagesIn(database)) {
      const path = imageFile(image);
      if (!existsSync(path)) return path;
      copyImage(database, image, path);
      count += 1;
    }
    database.exec("commit");
    return count;
  } finally {
    database.close();
  }
}

function imagesIn(database: Libsql): readonly Pick<ImageRow, "number" | "file">[] {
  const rows = database.prepare("select doc from images").raw().all([]) as readonly (readonly [string])[];
  return rows.map(([doc]) => JSON.parse(doc) as ImageRow).filter(({ file }) => file !== null);
}

function copyImage(database: Libsql, { number, file }: Pick<ImageRow, "number" | "file">, path: string): void {
  const insert = database.prepare("insert into image_data values (?, ?, ?, ?)");
  let part = 0;
  for (const bytes of readParts(path)) {
    insert.run([number, file, part, bytes]);
    part += 1;
  }
}

/**
 * Restores a backup in a folder without a store. A process that ends meanwhile leaves a folder that the service does not start on. Returns the
 * number of images with data.
 *
 * @throws BackupError, or InUseError if a process uses the folder
 */
export function restore({ folder, imageFile, file }: BackupPlaces): number {
  if (!existsSync(file)) throw new BackupError(`${file} does not exist.`);
  checkBackup(file);
  privateFolder(folder);
  const lock = lockFolder(folder);
  const database = databaseOf(folder);
  const pending = `${database}-restored`;
  try {
    const other = readdirSync(folder).find((name) => !name.startsWith("lock.db"));
    if (other !== undefined) throw new BackupError(`${folder} has ${other}; restore into an empty folder.`);
    // With the marker and without the database, the service does not start.
    markClosed(database, positionOf(file, undefined));
    privateFile(pending);
    copyFileSync(file, pending);
    const count = moveImagesFrom(pending, imageFile);
    syncFile(pending);
    markClosed(database, positionOf(pending, undefined));
    renameSync(pending, database);
    syncFolder(database);
    return count;
  } finally {
    rmSync(pending, { force: true });
    lock.close();
  }
}

/** Writes the data of images to their files, and removes them from the database. */
function moveImagesFrom(file: string, imageFile: BackupPlaces["imageFile"]): number {
  const database = new Database(file);
  try {
    const images = database.prepare("select number, file, count(*) from image_data group by number, file").raw();
    const all = images.all([]) as readonly (readonly [number, string, number])[];
    const read = database.prepare("select bytes from image_data where number = ? and part = ?").raw();
    const files = new ImageFiles();
    for (const [number, name, parts] of all) {
      const path = imageFile({ number, file: name });
      for (let part = 0; part < parts; part += 1) files.write(path, (read.get([number, part]) as [Buffer])[0]);
    }
    files.finish();
    database.exec("drop table image_data");
    if (all.length > 0) database.exec("vacuum");
    return all.length;
  } finally {
    database.close();
  }
}

/** @throws BackupError if the file is no backup, or not whole */
function checkBackup(file: string): void {
  const database = openReader(file);
  try {
    const [result] = database.prepare("pragma quick_check").raw().get([]) as [string];
    if (result !== "ok") throw new Error(result);
    database.prepare("select 1 from image_data");
  } catch (error) {
    throw new BackupError(`${file} is not a whole backup of \`cloud-compute backup\``, { cause: error });
  } finally {
    database.close();
  }
}

/** A connection that only reads leaves the write-ahead log as it is, also if it is the last to close. */
export function openReader(file: string): Libsql {
  const database = new Database(`${pathToFileURL(file).href}?mode=ro`);
  database.exec("pragma busy_timeout = 5000");
  return database;
}

function syncFile(file: string): void {
  const opened = openSync(file, "r+");
  fsyncSync(opened);
  closeSync(opened);
}
