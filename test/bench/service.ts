import { rm } from "node:fs/promises";
import type { Benchmark } from "./benchmark.js";
import { nodes, peersFolder } from "./peers.js";
import { evaluateGoal, type Compared } from "./report.js";
import { compareCreates, usersFor } from "./service/create.js";
import { compareGets } from "./service/get.js";
import { compareLists } from "./service/lists.js";
import { placeService } from "./service/place.js";
import { measureStart } from "./service/start.js";

/** Instances that are stored. */
const stored = 100_000;

/** The cost of the reference service on its embedded store. */
export const service: Benchmark = {
  name: "service",
  about:
    "the reference service on its embedded store: start, requests/s beside Fastify on the same database, creates, lists, memory",
  rounds: 20,
  async run({ rounds, say }) {
    const [first, ...others] = nodes();
    if (first === undefined) throw new Error("No Node found to run on.");
    const creating = { rounds, count: 500, warmUp: 3 };
    say(`filling stores with ${stored} instances`);
    const folder = await placeService(first, peersFolder, { instances: stored, users: usersFor(creating) });
    try {
      const compared: Compared[] = [];
      for (const node of [first, ...others]) {
        say(`starting, ${rounds} rounds, Node ${node.version}`);
        compared.push(await measureStart(folder, { node, rounds }));
        say(`asking for one, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareGets(folder, { node, rounds, count: 4000, warmUp: 5, stored }));
        say(`making, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareCreates(folder, { node, ...creating }));
        say(`listing, ${rounds} rounds, Node ${node.version}`);
        compared.push(...(await compareLists(folder, { node, rounds, count: 20, warmUp: 2, stored })));
      }
      const goals = compared.flatMap((each) => each.goals);
      return { benchmark: "service", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  },
};
