import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { runOnce } from "./conformance.js";
import { medianOf } from "./figures.js";
import { placeGrowth } from "./growth/place.js";
import { describeOperations } from "./large.js";
import { nodes, run, type Node } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared } from "./report.js";

/** How cost grows: what a unit costs where there are ten, a hundred and a thousand times as many of them. */
export const growth: Benchmark = {
  name: "growth",
  about: "how cost grows with operations, routes, bytes of a body and cases: what one of few costs, and one of many",
  rounds: 5,
  async run({ rounds, say }) {
    const compared: Compared[] = [];
    for (const node of nodes()) compared.push(await measureGrowth(node, { rounds, say }));
    const goals = compared.flatMap((each) => each.goals);
    return { benchmark: "growth", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
  },
};

/** What one unit costs, by how many there are. */
interface Growth {
  readonly name: string;
  readonly counts: readonly number[];
  /** All of one unit of time. */
  readonly costs: readonly number[];
  /** How many times as much one of many may cost as one of few. */
  readonly most: number;
}

/** The limit where each unit has a cost of its own. With pairs compared, one would cost as many times as there are more. */
const most = 1.5;
/** A match of a scan would cost 100 times as much in 100 times as many routes. Tables outgrow the processor's caches. */
const mostOfRoutes = 10;

async function measureGrowth(
  node: Node,
  { rounds, say }: { readonly rounds: number; readonly say: (text: string) => void },
): Promise<Compared> {
  const label = `Node ${node.version}`;
  const folder = await placeGrowth(node);
  try {
    say(`matching and validating, ${label}`);
    const grown = JSON.parse(await run(node.program, ["grow.mjs", String(rounds)], folder)) as {
      readonly routeCounts: readonly number[];
      readonly routes: readonly number[];
      readonly itemCounts: readonly number[];
      readonly bytes: readonly number[];
    };
    say(`generating, ${label}`);
    const operations = await generationCosts(node, folder);
    say(`running parts of the suite, ${label}`);
    const cases = await suiteCosts(node, rounds);
    const all: readonly Growth[] = [
      { name: "generation, ms a further operation", ...operations, most },
      { name: "finding a route, ns a match", counts: grown.routeCounts, costs: grown.routes, most: mostOfRoutes },
      { name: "validating a body, ns a byte, by items", counts: grown.itemCounts, costs: grown.bytes, most },
      { name: "the suite, ms a case", ...cases, most },
    ];
    return {
      table: {
        title: `What one costs, where there are few and where there are many, ${label}`,
        columns: {
          few: { title: "few", digits: 0 },
          costOfFew: { title: "cost", digits: 2 },
          many: { title: "many", digits: 0 },
          costOfMany: { title: "cost", digits: 2 },
          times: { title: "×", digits: 2 },
        },
        rows: all.map(({ name, counts, costs }) => ({
          name,
          cells: {
            few: counts[0] ?? 0,
            costOfFew: costs[0] ?? 0,
            many: counts.at(-1) ?? 0,
            costOfMany: costs.at(-1) ?? 0,
            times: timesOf(costs),
          },
        })),
        notes: [
          "generation: CPU of all artifacts, without the fixed cost of a run; routes and bodies: the fastest round; the suite: the middle one",
          "rows of the service: the benchmark `service` compares lists of 100,000 with lists of 100",
        ],
      },
      goals: all.map(({ name, costs, most: limit }) => ({
        what: `${name}, ${label}`,
        figure: timesOf(costs),
        limit,
        unit: "×",
      })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How many times as much one of many costs as one of few. */
function timesOf(costs: readonly number[]): number {
  return (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN);
}

const sizes = [10, 100, 1000] as const;

/** Milliseconds of CPU for a further operation: from the first size to the second, and from the second to the third. */
async function generationCosts(node: Node, folder: string): Promise<Pick<Growth, "counts" | "costs">> {
  const files = sizes.map((size) => path.join(folder, `${size}.yaml`));
  for (const [index, file] of files.entries()) await writeFile(file, describeOperations(sizes[index] ?? 0));
  const script = path.join(repository, "test", "support", "measure.mjs");
  const [small, middle, large] = JSON.parse(await run(node.program, [script, ...files], folder)) as [
    number,
    number,
    number,
  ];
  const costs = [(middle - small) / (sizes[1] - sizes[0]), (large - middle) / (sizes[2] - sizes[1])];
  return { counts: sizes.slice(1), costs: costs.map((seconds) => seconds * 1000) };
}

/** Milliseconds of a case, in a quarter of the suite and in all of it. */
async function suiteCosts(node: Node, rounds: number): Promise<Pick<Growth, "counts" | "costs">> {
  const counts: number[] = [];
  const costs: number[] = [];
  for (const parts of [4, 1]) {
    const taken: number[] = [];
    let cases = 0;
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      const measured = await runOnce(node, ["--shard", `1/${parts}`, "--seed", "1"]);
      cases = measured.cases;
      taken.push((measured.durationSeconds * 1000) / cases);
    }
    counts.push(cases);
    costs.push(medianOf(taken));
  }
  return { counts, costs };
}
