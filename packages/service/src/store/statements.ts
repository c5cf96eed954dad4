import { sql } from "kysely";
import { rowsOf, type Sql } from "./database.js";
import { storedVersion, type SchemaVersion } from "./migrations.js";
import type { Store } from "./store.js";

/** Called after each statement, with its text without values, and how long it took in milliseconds. */
export type OnStatement = (text: string, durationMs: number) => void;

/** An executor that reports its statements. Without a listener it is the executor itself. */
export function withStatements(executor: Sql, onStatement: OnStatement | undefined): Sql {
  if (onStatement === undefined) return executor;
  const timed = async <T>(text: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      onStatement(text, performance.now() - start);
    }
  };
  return {
    ...executor,
    run: (text, parameters) => timed(text, () => executor.run(text, parameters)),
    first: (text, parameters) => {
      const start = performance.now();
      const row = executor.first(text, parameters);
      if (row instanceof Promise) return row.finally(() => onStatement(text, performance.now() - start));
      onStatement(text, performance.now() - start);
      return row;
    },
  };
}

/** What an operator asks a store. */
export interface StoreState {
  readonly schema: SchemaVersion;
  /** The number of jobs that are due and have not run. */
  readonly dueJobs: number;
  /** Milliseconds since the first of them was due; 0 without one. */
  readonly jobLagMs: number;
}

export function readStoreState(store: Store, now: number): Promise<StoreState> {
  return store.survey(now, async ({ database }) => {
    const migrations = await rowsOf(sql`select name, oldest from kysely_migration`, database);
    const [jobs] = await rowsOf(
      sql`select count(*) as many, min(due) as first from jobs where due <= ${now}`,
      database,
    );
    const [count = 0, first = null] = jobs ?? [];
    return {
      schema: storedVersion(
        migrations.map(([name, oldest = null]) => ({
          name: String(name),
          oldest: oldest === null ? null : Number(oldest),
        })),
      ),
      dueJobs: Number(count),
      jobLagMs: first === null ? 0 : now - Number(first),
    };
  });
}
