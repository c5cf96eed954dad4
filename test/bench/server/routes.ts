import { fastestRatioOf, spreadOf } from "../figures.js";
import { run, type Node } from "../peers.js";
import type { Compared } from "../report.js";

/** By the ends of the names of their programs. */
const routers = {
  plumbline: "plumbline, buildRoutes",
  "find-my-way": "find-my-way, Fastify's",
  hono: "hono, RegExpRouter",
} as const;

type Router = keyof typeof routers;

/** The number of short turns in a round. */
const turnsPerRound = 10;

interface Measurement {
  readonly operations: number;
  /** Nanoseconds of a match, a turn after the other. */
  readonly times: Readonly<Record<Router, readonly number[]>>;
}

/** Measures the time to find the operation of a request. Throws for a wrong operation. */
export async function compareRouters(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<Compared> {
  const names = Object.keys(routers) as readonly Router[];
  const said = await run(node.program, ["route.mjs", String(rounds * turnsPerRound), ...names], folder);
  const { operations, times } = JSON.parse(said) as Measurement;
  const peers = names.filter((name) => name !== "plumbline");
  return {
    table: {
      title: `Finding the operation of a request, each of ${operations} below two base paths, Node ${node.version}`,
      columns: { time: { title: "ns a match", digits: 0 }, times: { title: "ours ÷ theirs", digits: 2 } },
      rows: names.map((name) => ({
        name: routers[name],
        cells: { time: spreadOf(times[name]), times: fastestRatioOf(times.plumbline, times[name]) },
      })),
      notes: [
        "middle turn (fastest–slowest); ÷ compares the fastest turns, since interruptions only make one slower",
        "two operations are omitted, which RegExpRouter does not support beside others; ids have one segment",
      ],
    },
    goals: peers.map((name) => ({
      what: `a match, against ${name}, Node ${node.version}`,
      figure: fastestRatioOf(times.plumbline, times[name]),
      limit: 1,
      unit: "×",
    })),
  };
}
