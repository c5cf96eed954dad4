import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openPostgres } from "../../src/store/postgres.js";
import { sharedPostgres, type TestPostgres } from "../../src/store/postgres.support.js";
import { openSqlite } from "../../src/store/sqlite.js";
import type { Store } from "../../src/store/store.js";

/** A store for a program, which tests can read after the program ends. */
export interface Place {
  /** The options for the store. */
  readonly args: readonly string[];
  open(): Promise<Store>;
  /** Opens the store of a running program. Nothing may write meanwhile. */
  copy(): Promise<Store>;
  /** The folder for image data. */
  readonly uploads: string;
}

export async function inFile(): Promise<Place> {
  const folder = temporaryFolder();
  return {
    args: ["--data", folder],
    open: () => openSqlite(folder),
    copy: () => {
      const copied = temporaryFolder();
      for (const name of readdirSync(folder).filter((each) => /^cloud-compute\.db(-wal)?$/.test(each)))
        copyFileSync(join(folder, name), join(copied, name));
      return openSqlite(copied);
    },
    uploads: join(folder, "uploads"),
  };
}

export async function onPostgres(postgres: TestPostgres = sharedPostgres()): Promise<Place> {
  const url = await postgres.database();
  const folder = temporaryFolder();
  return {
    args: ["--database-url", url, "--data", folder],
    open: () => openPostgres(url),
    copy: () => openPostgres(url),
    uploads: join(folder, "uploads"),
  };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
