import path from "node:path";
import { medianOf, spreadOf } from "../figures.js";
import { run, type Node } from "../peers.js";
import type { Compared } from "../report.js";

/** From the start of the process to its line that it is ready, on a folder that is not there yet. */
export async function measureStart(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<Compared> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const said = await run(node.program, ["start.mjs", path.join(folder, "empty")], folder);
    // The first one reads the files from the disk.
    if (round > 0) times.push((JSON.parse(said) as { readonly milliseconds: number }).milliseconds);
  }
  return {
    table: {
      title: `Starting on an empty store, Node ${node.version}`,
      columns: { time: { title: "ms until it is ready", digits: 0 } },
      rows: [{ name: "cloud-compute serve", cells: { time: spreadOf(times) } }],
      notes: ["middle round (fastest–slowest)"],
    },
    goals: [{ what: `ready, Node ${node.version}`, figure: medianOf(times), limit: 250, unit: "ms" }],
  };
}
