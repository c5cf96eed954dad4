import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openSqlite } from "./sqlite.js";
import type { Store } from "./store.js";

export const now: number = Date.UTC(2030, 0, 1);

/** The names of the files of a store. */
export const files = {
  database: "cloud-compute.db",
  log: "cloud-compute.db-wal",
  index: "cloud-compute.db-shm",
  marker: "cloud-compute.db-closed",
} as const;

/** A folder after the kill of its process, with so many writes, each a transaction. */
export async function killedAfter(writes: number, from: string = temporaryFolder()): Promise<string> {
  const store = await openSqlite(from);
  for (let number = 0; number < writes; number += 1) await write(store);
  const left = copyOf(from);
  await store.close();
  return left;
}

/** A folder with the same files, without the lock. */
export function copyOf(folder: string): string {
  const copy = temporaryFolder();
  for (const name of readdirSync(folder).filter((each) => each.startsWith(files.database)))
    copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

export function write(store: Store): Promise<unknown> {
  return store.write({ account: "one", now }, ({ tags }) => tags.add({ account: "one", label: `${(written += 1)}` }));
}

let written = 0;

/** Opens a store, counts its rows, and closes it. */
export async function countIn(folder: string): Promise<number> {
  const store = await openSqlite(folder);
  const count = await store.survey(now, ({ tags }) => tags.count());
  await store.close();
  return count;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-lost-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
