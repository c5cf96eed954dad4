import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.support.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the PostgreSQL for the tests of a project. */
    readonly postgres?: string;
  }
}

/** One PostgreSQL for all tests of a project. Each test has its own database there. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  provide("postgres", postgres.url);
  return () => postgres.close();
}
