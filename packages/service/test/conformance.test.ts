import { suite } from "@cloud-compute/conformance";
import type { Case } from "@plumbline/conformance-runtime";
import { describe, expect, inject, it } from "vitest";
import { ask } from "../src/store/citus.support.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { start } from "../src/testing.support.js";
import { isCitus, isFull } from "./support/form.js";
import { dividedStore, reachOf, watchStatements } from "./support/reach.js";
import { sampleCases } from "./support/sample.js";
import { runCases, wrongIn } from "./support/suite.js";

// SEED is the first seed, and SEEDS the number of seeds. Each runs the cases in another order.
const first = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => first + index);
const isPostgres = inject("postgres") !== undefined;

describe(isFull ? "the conformance suite" : "a sample of the conformance suite", () => {
  it.each(seeds)("passes, leaves nothing behind, and names the account in each statement: seed %i", async (seed) => {
    const cases = isFull ? suite.cases : sampleCases(suite, { seed, groupOf });
    const url = isPostgres ? await sharedPostgres().database() : undefined;
    const statements = watchStatements();
    const place = url === undefined ? ["--data", ":memory:"] : ["--database-url", url, "--data", ":memory:"];
    const report = await runCases(await start(["--pace", "0", ...place]), cases, seed);
    expect.soft(wrongIn(report)).toEqual([]);
    expect.soft(report.results).toHaveLength(cases.length);
    expect(cases.length).toBeGreaterThan(isFull ? 6000 : 100);
    if (url === undefined) return;
    const { wrong, times } = await reachOf(isCitus ? url : await dividedStore(), statements);
    expect(wrong).toEqual([]);
    expect(times.get("one account")).toBeGreaterThan(isFull ? 100_000 : 1000);
    if (isCitus) console.log("Statements:", times, "Citus counts of them:", await countsOf(url));
  });
});

/** PostgreSQL takes three times the processor time: one case of each kind there, and one of each kind and tag on the embedded store. */
function groupOf({ kind, operation }: Case): string {
  return isPostgres ? kind : `${suite.operations[operation]?.tag} ${kind}`;
}

/** What Citus itself has counted in a database. */
async function countsOf(url: string): Promise<unknown> {
  const counters = "query_execution_single_shard as on_one_shard, query_execution_multi_shard as on_several";
  const [counts] = await ask(url, `select ${counters} from citus_stat_counters where name = current_database()`);
  return counts;
}
