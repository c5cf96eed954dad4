import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { citusAt, startPostgres } from "./postgres.support.js";

/** One PostgreSQL for all tests of a project. Each test has its own database there. */
export async function setup({ provide, vite }: TestProject): Promise<() => Promise<void>> {
  if (vite.config.mode === "citus") return setUpCitus(provide);
  const postgres = await startPostgres();
  provide("postgres", postgres.url);
  return () => postgres.close();
}

async function setUpCitus(provide: TestProject["provide"]): Promise<() => Promise<void>> {
  const url = process.env["CITUS_URL"];
  if (url === undefined) throw new Error("CITUS_URL is not set; `npm run citus -w test` says what it is");
  const prefix = `plumbline_${randomBytes(4).toString("hex")}`;
  provide("postgres", url);
  provide("citus", prefix);
  return () => citusAt(url, prefix).close();
}
