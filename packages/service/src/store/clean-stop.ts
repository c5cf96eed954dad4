import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { findDatabaseDamage, positionOf, type StorePosition } from "./database-file.js";
import { findLogDamage, logOf, readLogContent } from "./write-ahead-log.js";

/** Acknowledged writes may be lost: a file of the store is missing, damaged, or from another time or store. */
export class LostWritesError extends Error {
  override readonly name = "LostWritesError";

  constructor(damage: string) {
    super(
      `${damage}, so that acknowledged writes may be lost. Put the file back, restore a backup of the folder, or start once with --accept-loss to continue with the remaining data.`,
    );
  }
}

/**
 * Checks the files of a store. A marker file states the last write that the database has, with its log if there is one. It exists from the end of a
 * stop until the next start has a log with at least one transaction. So without the marker, a log can only be missing if something removed it.
 */
export function findLoss(database: string): LostWritesError | undefined {
  const marker = readMarker(database);
  const isNew = !existsSync(database) && !existsSync(logOf(database)) && !existsSync(markerOf(database));
  if (isNew || marker === "new") return undefined;
  const damage =
    (marker === undefined && existsSync(database) ? findLogDamage(database) : undefined) ??
    findDatabaseDamage(database, readLogContent(database), marker === "unknown" ? undefined : marker);
  return damage === undefined ? undefined : new LostWritesError(damage);
}

/**
 * Sets files aside that do not belong together, or that SQLite would overwrite, so that a store opens with the remaining data. A damaged log stays:
 * SQLite uses the part before the damage.
 */
export function setLossAside(database: string): void {
  if (findDatabaseDamage(database, readLogContent(database), undefined) === undefined) return;
  const damaged = findDatabaseDamage(database, undefined, undefined) === undefined ? [] : [database];
  for (const file of [...damaged, logOf(database), `${database}-shm`]) {
    let number = 1;
    while (existsSync(`${file}-lost-${number}`)) number += 1;
    if (existsSync(file)) renameSync(file, `${file}-lost-${number}`);
  }
  syncFolder(database);
}

/** Creates the marker, on disk: the database has all writes, with its log if there is one. A killed process leaves a complete one, or none. */
export function markClosed(
  database: string,
  position: StorePosition | undefined = positionOf(database, readLogContent(database)),
): void {
  const pending = `${markerOf(database)}-pending`;
  const marker = openSync(pending, "w", 0o600);
  writeSync(
    marker,
    `All writes are in the database: it was closed, and needs no write-ahead log.\n${JSON.stringify(position ?? {})}\n`,
  );
  fsyncSync(marker);
  closeSync(marker);
  renameSync(pending, markerOf(database));
  syncFolder(database);
}

/** The position that the marker states. "new": before the first write. "unknown": an earlier version of the service wrote it. */
function readMarker(database: string): StorePosition | "new" | "unknown" | undefined {
  if (!existsSync(markerOf(database))) return undefined;
  const [text = "", line = ""] = readFileSync(markerOf(database), "utf8").split("\n");
  // An earlier version was killed while it created the marker of a new store.
  if (text === "" && !existsSync(database) && !existsSync(logOf(database))) return "new";
  if (line === "") return "unknown";
  const position = JSON.parse(line) as Partial<StorePosition>;
  return position.store === undefined ? "new" : (position as StorePosition);
}

/** Deletes the marker, on disk: there is a log with writes that are not in the file of the database. */
export function markOpen(database: string): void {
  rmSync(markerOf(database), { force: true });
  syncFolder(database);
}

function markerOf(database: string): string {
  return `${database}-closed`;
}

/** Writes the folder of a file to disk, so that the name of the file is there. */
export function syncFolder(database: string): void {
  // Windows has no handles for folders that can be synced.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(database), "r");
  fsyncSync(folder);
  closeSync(folder);
}
