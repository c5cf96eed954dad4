import { scenarios, suite } from "@cloud-compute/conformance";
import { installPeers, manifestOf } from "../../bench/peers.js";
import { classes } from "../classes.js";
import type { Fault } from "../fault.js";
import { compare, tools, type Tool } from "./comparison.js";
import { comparisonJson, tableOf } from "./table.js";

export interface PeersOptions {
  readonly faults: readonly Fault[];
  readonly atOnce: number;
  readonly json: boolean;
}

/** What Dredd and Portman find of the same faults, as text. What it is at is told on standard error. */
export async function comparePeers({ faults, atOnce, json }: PeersOptions): Promise<string> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  await installPeers(say);
  const comparison = await compare({
    suite,
    scenarios,
    faults,
    atOnce,
    say,
    onOutcome: ({ fault, verdicts, took }, done) => {
      const found = tools.filter((tool) => verdicts[tool].detected).join(", ") || "missed by both";
      say(`${String(done).padStart(4)}/${faults.length}  ${found.padEnd(16)} ${took.toFixed(1)} s  ${fault.id}`);
    },
  });
  return json ? comparisonJson(comparison, versions()) : tableOf(comparison, classes);
}

function versions(): Readonly<Record<Tool, string>> {
  return { dredd: manifestOf("dredd").version, portman: manifestOf("@apideck/portman").version };
}
