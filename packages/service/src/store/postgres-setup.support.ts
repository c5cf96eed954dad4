import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.support.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL that the tests of a project run on. */
    readonly postgres?: string;
  }
}

/** One PostgreSQL for all tests of a project; each test has a database of its own there. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  provide("postgres", postgres.url);
  return () => postgres.close();
}
