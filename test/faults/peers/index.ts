import { scenarios, suite } from "@cloud-compute/conformance";
import { installPeers, manifestOf } from "../../bench/peers.js";
import { classes } from "../classes.js";
import type { Fault } from "../fault.js";
import { compare, tools, type Tool } from "./comparison.js";
import { comparisonJson, tableOf } from "./table.js";

export interface PeersOptions {
  readonly faults: readonly Fault[];
  /** The maximum number of faults of each class. */
  readonly most: number;
  readonly atOnce: number;
  readonly json: boolean;
}

/** Runs Dredd and Portman on the same faults and formats the results as text. Progress goes to standard error. */
export async function comparePeers({ faults: all, most, atOnce, json }: PeersOptions): Promise<string> {
  const faults = sample(all, most);
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

/** Evenly distributed faults of a class, since neighbours in its list are similar. */
export function sample(faults: readonly Fault[], most: number): readonly Fault[] {
  const numbers = [...new Set(faults.map((each) => each.class))];
  const byClass = numbers.map((number) => faults.filter((each) => each.class === number));
  return byClass.flatMap((own) =>
    own.length <= most
      ? own
      : Array.from({ length: most }, (_, index) => own[Math.floor((index * own.length) / most)]).filter(
          (each) => each !== undefined,
        ),
  );
}

function versions(): Readonly<Record<Tool, string>> {
  return { dredd: manifestOf("dredd").version, portman: manifestOf("@apideck/portman").version };
}
