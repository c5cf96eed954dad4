import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { runCommand } from "./support/command.js";

const done = "The store has schema 8. Programs for schema 8 or later can use it.\n";

async function tableCount(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rowCount } = await client.query("select 1 from pg_tables where schemaname = 'public'");
  return rowCount ?? 0;
}

test("migrates a store as a step of its own, and again without a change", async () => {
  const url = await sharedPostgres().emptyDatabase();
  for (let time = 0; time < 2; time += 1) expect(await runCommand("migrate", "--database-url", url)).toEqual([0, done]);
  expect(await tableCount(url)).toBeGreaterThan(30);
  const folder = mkdtempSync(join(tmpdir(), "plumbline-migrate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await runCommand("migrate", "--data", folder)).toEqual([0, done]);
});

test("distributes nothing without Citus, says so, and changes nothing", async () => {
  const url = await sharedPostgres().emptyDatabase();
  const [code, output] = await runCommand("migrate", "--database-url", url, "--distribute");
  expect(code).toBe(1);
  expect(output).toMatch(/^cloud-compute: the database does not have the extension citus/);
  expect(await tableCount(url)).toBe(0);
  const [withoutUrl, reason] = await runCommand("migrate", "--data", ":memory:", "--distribute");
  expect(withoutUrl).not.toBe(0);
  expect(reason).toContain("--distribute needs --database-url");
});
