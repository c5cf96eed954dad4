import { run, type Node } from "../peers.js";
import type { Compared } from "../report.js";
import { above, pairs, programs, rowsOf } from "./servers.js";

/** From the start of a process until a server in it has answered its first request. */
export async function compareStarts(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<Compared> {
  const times = new Map<string, number[]>(programs.map((name) => [name, []]));
  // The first round fills the caches of the disk.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, taken] of times) {
      const time = Number(await run(node.program, ["host.mjs", name, "once"], folder));
      if (round > 0) taken.push(time);
    }
  }
  const timesOf = (name: string): readonly number[] => times.get(name) ?? [];
  return {
    table: {
      title: `From the start of a process to its first response, to a valid create, Node ${node.version}`,
      columns: {
        time: { title: "ms", digits: 0 },
        above: { title: "above bare", digits: 1 },
        least: { title: "above bare, fastest", digits: 1 },
      },
      rows: rowsOf(timesOf),
      notes: [
        "middle round (smallest–largest); above bare is the middle one of the differences within a round",
        "every validator knows all operations; fastify has a route for each, with or without schemas",
      ],
    },
    goals: pairs
      .filter(({ who }) => who === "plumbline")
      .map(({ host, program, bare }) => ({
        what: `start above the bare server, ${host}, Node ${node.version}`,
        figure: above(timesOf(program), timesOf(bare)),
        limit: 12,
        unit: "ms",
      })),
  };
}
