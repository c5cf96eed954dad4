import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { damageOfLog } from "./write-ahead-log.js";

/** Acknowledged writes may be lost: the log that has them is missing or damaged, and the database was not closed without needing it. */
export class LostWritesError extends Error {
  override readonly name = "LostWritesError";

  constructor(damage: string) {
    super(
      `${damage}, so that acknowledged writes may be lost. Put the file back, restore a backup of the folder, or start once with --accept-loss to go on with what is left.`,
    );
  }
}

/**
 * Whether the log of a database that was not closed is as it should be. A marker says that it was closed, and that everything is in its file. It is there
 * from the end of a stop until the next start has made a log that has at least one transaction, so that a log is missing only when something removed it.
 */
export function findLoss(database: string): LostWritesError | undefined {
  if (existsSync(markerOf(database))) return undefined;
  const isNew = !existsSync(database) && !existsSync(`${database}-wal`);
  const damage = isNew ? undefined : existsSync(database) ? damageOfLog(database) : `${database} is missing`;
  return damage === undefined ? undefined : new LostWritesError(damage);
}

/** Says, on disk, that everything is in the file of the database. */
export function markClosed(database: string): void {
  const marker = openSync(markerOf(database), "w", 0o600);
  writeSync(marker, "All writes are in the database: it was closed, and needs no write-ahead log.\n");
  fsyncSync(marker);
  closeSync(marker);
  syncFolder(database);
}

/** Says, on disk, that there is a log, which has what is not in the file of the database. */
export function markOpen(database: string): void {
  rmSync(markerOf(database), { force: true });
  syncFolder(database);
}

function markerOf(database: string): string {
  return `${database}-closed`;
}

function syncFolder(database: string): void {
  // Windows has no handles of folders that can be synced.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(database), "r");
  fsyncSync(folder);
  closeSync(folder);
}
