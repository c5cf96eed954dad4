import { scenarios, suite } from "@cloud-compute/conformance";
import { installPeers, manifestOf } from "../../bench/peers.js";
import { faultClasses } from "../classes.js";
import type { Fault } from "../fault.js";
import { compareTools, peerTools, type PeerTool } from "./comparison.js";
import { comparisonJson, tableOf } from "./format-comparison.js";

export interface PeersOptions {
  readonly faults: readonly Fault[];
  /** The maximum number of faults of each class. */
  readonly maxPerClass: number;
  readonly concurrency: number;
  readonly json: boolean;
}

/** Runs Dredd and Portman on the same faults and formats the results as text. Progress goes to standard error. */
export async function comparePeers({ faults: all, maxPerClass, concurrency, json }: PeersOptions): Promise<string> {
  const faults = sampleFaults(all, maxPerClass);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  await installPeers(say);
  const comparison = await compareTools({
    suite,
    scenarios,
    faults,
    concurrency,
    log: say,
    onOutcome: ({ fault, verdicts, durationSeconds }, done) => {
      const found = peerTools.filter((tool) => verdicts[tool].detected).join(", ") || "missed by both";
      say(
        `${String(done).padStart(4)}/${faults.length}  ${found.padEnd(16)} ${durationSeconds.toFixed(1)} s  ${fault.id}`,
      );
    },
  });
  return json ? comparisonJson(comparison, versions()) : tableOf(comparison, faultClasses);
}

/** Evenly distributed faults of a class, since neighbours in its list are similar. */
export function sampleFaults(faults: readonly Fault[], most: number): readonly Fault[] {
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

function versions(): Readonly<Record<PeerTool, string>> {
  return { dredd: manifestOf("dredd").version, portman: manifestOf("@apideck/portman").version };
}
