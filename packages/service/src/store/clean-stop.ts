import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { findLogDamage } from "./write-ahead-log.js";

/** Acknowledged writes may be lost: their log is missing or damaged, and the database was not closed cleanly. */
export class LostWritesError extends Error {
  override readonly name = "LostWritesError";

  constructor(damage: string) {
    super(
      `${damage}, so that acknowledged writes may be lost. Put the file back, restore a backup of the folder, or start once with --accept-loss to continue with the remaining data.`,
    );
  }
}

/**
 * Checks the log of a database that was not closed cleanly. A marker file states that the database was closed and that its file has all writes. It
 * exists from the end of a stop until the next start has a log with at least one transaction. So a log can only be missing if something removed it.
 */
export function findLoss(database: string): LostWritesError | undefined {
  if (existsSync(markerOf(database))) return undefined;
  const isNew = !existsSync(database) && !existsSync(`${database}-wal`);
  const damage = isNew ? undefined : existsSync(database) ? findLogDamage(database) : `${database} is missing`;
  return damage === undefined ? undefined : new LostWritesError(damage);
}

/** Creates the marker, on disk: the file of the database has all writes. */
export function markClosed(database: string): void {
  const marker = openSync(markerOf(database), "w", 0o600);
  writeSync(marker, "All writes are in the database: it was closed, and needs no write-ahead log.\n");
  fsyncSync(marker);
  closeSync(marker);
  syncFolder(database);
}

/** Deletes the marker, on disk: there is a log with writes that are not in the file of the database. */
export function markOpen(database: string): void {
  rmSync(markerOf(database), { force: true });
  syncFolder(database);
}

function markerOf(database: string): string {
  return `${database}-closed`;
}

function syncFolder(database: string): void {
  // Windows has no handles for folders that can be synced.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(database), "r");
  fsyncSync(folder);
  closeSync(folder);
}
