import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../src/store/postgres.support.js";

const program = fileURLToPath(new URL("../bin/cloud-compute.js", import.meta.url));
const done = "The store has schema 8. Programs for schema 8 or later can use it.\n";

async function migrate(...args: readonly string[]): Promise<readonly [code: number, stdout: string, stderr: string]> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "migrate", ...args], (error, stdout, stderr) =>
      resolve([typeof error?.code === "number" ? error.code : 0, stdout, stderr]),
    );
  });
}

async function tableCount(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rowCount } = await client.query("select 1 from pg_tables where schemaname = 'public'");
  return rowCount ?? 0;
}

test("migrates a store as a step of its own, and again without a change", async () => {
  const url = await sharedPostgres().emptyDatabase();
  for (let time = 0; time < 2; time += 1) expect(await migrate("--database-url", url)).toEqual([0, done, ""]);
  expect(await tableCount(url)).toBeGreaterThan(30);
  const folder = mkdtempSync(join(tmpdir(), "plumbline-migrate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await migrate("--data", folder)).toEqual([0, done, ""]);
});

test("distributes nothing without Citus, says so, and changes nothing", async () => {
  const url = await sharedPostgres().emptyDatabase();
  const [code, stdout, stderr] = await migrate("--database-url", url, "--distribute");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the database does not have the extension citus");
  expect(await tableCount(url)).toBe(0);
  const [withoutUrl, , reason] = await migrate("--data", ":memory:", "--distribute");
  expect(withoutUrl).not.toBe(0);
  expect(reason).toContain("--distribute needs --database-url");
});
