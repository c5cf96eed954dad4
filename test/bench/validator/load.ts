import { Children, cpuOf, hear, type Served } from "../children.js";
import type { Node } from "../peers.js";
import type { Compared } from "../report.js";
import { above, pairs, programs, rowsOf } from "./servers.js";

const kinds = {
  create: "a valid create",
  list: "a list with a query",
} as const;

type Kind = keyof typeof kinds;

/** Turns short enough that other load of the machine affects all alike, and long enough to warm up the compiler of Node. */
const requestsPerTurn = 4000;
const turnsPerRound = 2;

/** The CPU time of a request, which other load of the machine affects least. */
export async function compareLoads(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<readonly Compared[]> {
  const children = new Children(folder, node);
  try {
    const fire = children.start("fire.mjs");
    const serving = new Map<string, Served>();
    for (const name of programs) serving.set(name, await children.serve(name));
    const turn = async (name: string, kind: Kind, count: number): Promise<number> => {
      const served = serving.get(name) ?? { child: fire, port: 0 };
      const before = await cpuOf(served);
      const done = hear(fire);
      fire.send({ port: served.port, kind, count });
      await done;
      return ((await cpuOf(served)) - before) / count;
    };
    const times = new Map<string, number[]>();
    // The first turns are for the compiler of Node.
    for (let round = -5; round <= rounds * turnsPerRound; round += 1) {
      for (const kind of Object.keys(kinds) as readonly Kind[]) {
        for (const name of programs) {
          const time = await turn(name, kind, requestsPerTurn);
          if (round > 0) times.set(`${kind} ${name}`, [...(times.get(`${kind} ${name}`) ?? []), time]);
        }
      }
    }
    return (Object.keys(kinds) as readonly Kind[]).map((kind) =>
      comparedOf(kind, node, (name) => times.get(`${kind} ${name}`) ?? []),
    );
  } finally {
    children.end();
  }
}

function comparedOf(kind: Kind, node: Node, timesOf: (name: string) => readonly number[]): Compared {
  return {
    table: {
      title: `CPU of the server for ${kinds[kind]}, Node ${node.version}`,
      columns: {
        time: { title: "µs a request", digits: 1 },
        above: { title: "added", digits: 1 },
        least: { title: "added, fastest turns", digits: 1 },
      },
      rows: rowsOf(timesOf),
      notes: [
        "middle turn (smallest–largest); added is the middle one of the differences within a round of turns",
        "bare servers parse the body as each framework's users do, and no query; handlers look at neither",
      ],
    },
    goals: pairs
      .filter(({ who }) => who === "plumbline")
      .map(({ host, program, bare }) => ({
        what: `CPU added to ${kinds[kind]}, ${host}, Node ${node.version}`,
        figure: above(timesOf(program), timesOf(bare)),
        limit: 4,
        unit: "µs",
      })),
  };
}
