import { sql } from "kysely";
import { rowsOf, type Sql } from "./database.js";
import { storedVersion, type SchemaVersion } from "./migrations.js";
import { givenUpDue } from "./rows.js";
import type { Store } from "./store.js";

/** Observes the statements of the store. Called after each, in the asynchronous context of its request. */
export type ObserveStatement = (statement: ObservedStatement) => void;

/** A statement that has ended. */
export interface ObservedStatement {
  /** Its text, with placeholders for all values. */
  readonly text: string;
  readonly durationMs: number;
  readonly system: "postgresql" | "sqlite";
  /** The code of an error by the database or the network, such as `23505` or `ECONNRESET`, or else the name of its class. */
  readonly error: string | undefined;
}

/** An executor that reports its statements. Without an observer it is the executor itself. */
export function withStatements(
  executor: Sql,
  system: ObservedStatement["system"],
  observe: ObserveStatement | undefined,
): Sql {
  if (observe === undefined) return executor;
  const begin = (text: string): ((error?: unknown) => void) => {
    const start = performance.now();
    return (error) =>
      observe({
        text,
        durationMs: performance.now() - start,
        system,
        error: error === undefined ? error : codeOf(error),
      });
  };
  const timed = async <T>(end: (error?: unknown) => void, running: Promise<T>): Promise<T> => {
    try {
      const result = await running;
      end();
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
  return {
    ...executor,
    run: (text, parameters) => timed(begin(text), executor.run(text, parameters)),
    first: (text, parameters) => {
      const end = begin(text);
      try {
        const row = executor.first(text, parameters);
        if (row instanceof Promise) return timed(end, row);
        end();
        return row;
      } catch (error) {
        end(error);
        throw error;
      }
    },
  };
}

/** The message of an error may quote a value; its code does not. */
function codeOf(error: unknown): string {
  const { code, name = "Error" } = error as { readonly code?: unknown; readonly name?: string };
  return typeof code === "string" ? code : name;
}

/** The operation of a statement, such as `select`, and its first table. Both are names that the service has written. */
export function statementName(text: string): { readonly operation: string; readonly table: string | undefined } {
  const [operation = ""] = /^[a-z]+/i.exec(text.trimStart()) ?? [];
  const [, table] = /\b(?:from|into|update) "?([a-z_]+)/i.exec(text) ?? [];
  return { operation: operation.toLowerCase(), table };
}

/** What an operator asks a store. */
export interface StoreState {
  readonly schema: SchemaVersion;
  /** The number of jobs that are due and have not run. */
  readonly dueJobs: number;
  /** Milliseconds since the first of them was due; 0 without one. */
  readonly jobLagMs: number;
  /** The number of jobs that were given up. */
  readonly givenUpJobs: number;
}

export function readStoreState(store: Store, now: number): Promise<StoreState> {
  return store.survey(now, async ({ database }) => {
    const migrations = await rowsOf(sql`select name, oldest from kysely_migration`, database);
    const [jobs] = await rowsOf(
      sql`select count(*) as many, min(due) as first from jobs where due <= ${now}`,
      database,
    );
    const [givenUp] = await rowsOf(sql`select count(*) from jobs where due >= ${givenUpDue}`, database);
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
      givenUpJobs: Number(givenUp?.[0]),
    };
  });
}
