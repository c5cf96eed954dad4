import { rm } from "node:fs/promises";
import type { Benchmark } from "./benchmark.js";
import { nodes } from "./peers.js";
import { evaluateGoal, type Compared } from "./report.js";
import { compareBundles } from "./validator/bundles.js";
import { compareInProcess } from "./validator/in-process.js";
import { compareLoads } from "./validator/load.js";
import { placePrograms } from "./validator/place.js";
import { compareStarts } from "./validator/start.js";

/** The cost of the generated validator for its server. */
export const validator: Benchmark = {
  name: "validator",
  about: "what a validator costs a server: time of a validation, CPU of a request, start, bytes of a bundle",
  rounds: 15,
  async run({ rounds, say }) {
    const [first, ...others] = nodes();
    if (first === undefined) throw new Error("No Node found to run on.");
    say("compiling with ajv");
    const folder = await placePrograms(first);
    try {
      const compared: Compared[] = [];
      for (const node of [first, ...others]) {
        say(`validating, ${rounds} rounds, Node ${node.version}`);
        compared.push(...(await compareInProcess(folder, { node, rounds })));
      }
      for (const node of [first, ...others]) {
        say(`starting, ${rounds} rounds, Node ${node.version}`);
        compared.push(await compareStarts(folder, { node, rounds }));
      }
      for (const node of [first, ...others]) {
        say(`serving, ${rounds} rounds, Node ${node.version}`);
        compared.push(...(await compareLoads(folder, { node, rounds })));
      }
      say("bundling");
      compared.push(await compareBundles(folder));
      const goals = compared.flatMap((each) => each.goals);
      return { benchmark: "validator", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
