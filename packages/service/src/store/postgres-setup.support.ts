import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { citusAt, startPostgres } from "./postgres.support.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL for the tests of a project. */
    readonly postgres?: string;
    /** If that PostgreSQL is the coordinator of Citus: what the names of the databases of this run begin with. */
    readonly citus?: string;
  }
}

/** One PostgreSQL for all tests of a project: that of `CITUS_URL` in the mode `citus`. Each test has its own database there. */
export async function setup({ provide, vite }: TestProject): Promise<() => Promise<void>> {
  const coordinator = vite.config.mode === "citus" ? process.env["CITUS_URL"] : undefined;
  const prefix = `plumbline_${randomBytes(4).toString("hex")}`;
  const postgres = coordinator === undefined ? await startPostgres() : citusAt(coordinator, prefix);
  provide("postgres", postgres.url);
  if (coordinator !== undefined) provide("citus", prefix);
  return () => postgres.close();
}
