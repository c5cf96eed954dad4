import { medianOf, spreadOf } from "../figures.js";
import { run, type Node } from "../peers.js";
import type { Compared } from "../report.js";

/** By the ends of the names of their programs. */
const servers = { bare: "node:http", plumbline: "plumbline, all operations" } as const;

type ServerName = keyof typeof servers;

/** What a process holds, in bytes. */
interface Held {
  readonly heap: number;
  readonly rss: number;
}

const mebibyte = 2 ** 20;

/** What a server of all operations adds to a process. Throws when one of the operations fails, or is not there. */
export async function compareMemory(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<Compared> {
  const held = { bare: [], plumbline: [] } as Record<ServerName, Held[]>;
  const names = Object.keys(servers) as readonly ServerName[];
  for (let round = 0; round < rounds; round += 1)
    for (const name of names)
      held[name].push(JSON.parse(await run(node.program, ["--expose-gc", "memory.mjs", name], folder)) as Held);
  const ofAll = (name: ServerName, figure: keyof Held) => held[name].map((each) => each[figure] / mebibyte);
  const added = (name: ServerName, figure: keyof Held) =>
    medianOf(ofAll(name, figure).map((each, round) => each - (ofAll("bare", figure)[round] ?? Number.NaN)));
  return {
    table: {
      title: `What a process holds after a call of each operation, Node ${node.version}`,
      columns: {
        heap: { title: "MiB of heap", digits: 2 },
        addedHeap: { title: "added", digits: 2 },
        rss: { title: "MiB resident", digits: 1 },
        addedRss: { title: "added", digits: 1 },
      },
      rows: names.map((name) => ({
        name: servers[name],
        cells: {
          heap: spreadOf(ofAll(name, "heap")),
          addedHeap: added(name, "heap"),
          rss: spreadOf(ofAll(name, "rss")),
          addedRss: added(name, "rss"),
        },
      })),
      notes: [
        "middle round (smallest–largest), after two collections; added is the middle one of the differences within a round",
      ],
    },
    goals: [
      {
        what: `heap added by all operations, Node ${node.version}`,
        figure: added("plumbline", "heap"),
        limit: 6,
        unit: "MiB",
      },
    ],
  };
}
