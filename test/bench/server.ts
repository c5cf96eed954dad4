import { rm } from "node:fs/promises";
import path from "node:path";
import type { Benchmark } from "./benchmark.js";
import { nodes, peersFolder } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared } from "./report.js";
import { compareServers } from "./server/load.js";
import { compareMemory } from "./server/memory.js";
import { placeServers } from "./server/place.js";
import { profileServer } from "./server/profile.js";
import { compareRouters } from "./server/routes.js";

/** What the generated server costs: its routes, each request, and the memory of its process. */
export const server: Benchmark = {
  name: "server",
  about: "what a generated server costs: time of a route, requests/s and CPU of a request, memory; beside Fastify",
  rounds: 15,
  async run({ rounds, say }) {
    const [first, ...others] = nodes();
    if (first === undefined) throw new Error("No Node found to run on.");
    const folder = await placeServers(first, peersFolder);
    try {
      const compared: Compared[] = [];
      for (const node of [first, ...others]) {
        say(`routing, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareRouters(folder, { node, rounds }));
      }
      for (const node of [first, ...others]) {
        say(`holding, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareMemory(folder, { node, rounds }));
      }
      for (const node of [first, ...others]) {
        say(`serving, ${rounds} rounds, Node ${node.version}`);
        compared.push(...(await compareServers(folder, { node, rounds, count: requestsPerTurn, warmUp: 5 })));
      }
      const goals = compared.flatMap((each) => each.goals);
      return { benchmark: "server", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  async profile({ rounds, say }) {
    const [node] = nodes();
    if (node === undefined) throw new Error("No Node found to run on.");
    const folder = await placeServers(node, peersFolder);
    try {
      const count = rounds * requestsPerTurn;
      say(`profiling, ${count} requests of each operation, Node ${node.version}`);
      const out = path.join(repository, "test", "reports", "profiles");
      return { benchmark: "server", tables: await profileServer(folder, { node, count, out }), goals: [] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const requestsPerTurn = 4000;
