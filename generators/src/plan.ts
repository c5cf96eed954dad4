import { noCache, type Cache } from "./cache.js";
import type { Config } from "./config.js";
import type { GeneratedPackage } from "./emit/files.js";
import type { Read, ReadOptions } from "./generate.js";
import { identity } from "./identity.js";
import { areSame, hashOf, recordInputs, noteInputs, type Inputs } from "./inputs.js";
import { ProblemError, type Problem } from "./problem.js";
import { awaitLinting } from "./spec/background.js";

/** What is to be written for a configuration. */
export interface Plan {
  readonly packages: readonly GeneratedPackage[];
  /** What was put off; undefined where nothing was. What is wrong with it keeps it alone from being written. */
  readonly later?: () => Promise<Later>;
  /** By the folder that their files are relative to. */
  readonly warnings: readonly Told[];
  /** Where there are any, nothing is to be written. */
  readonly refused: readonly Told[];
  readonly operations: number;
}

export interface Told {
  /** Absolute path. */
  readonly folder: string;
  readonly problems: readonly Problem[];
}

export interface Later {
  readonly packages: readonly GeneratedPackage[];
  readonly refused: readonly Told[];
}

export interface PlanOptions extends Omit<ReadOptions, "only" | "cache"> {
  /** The artifacts that are asked for; every one when it is empty. */
  readonly only: readonly string[];
  readonly cache?: Cache;
  /** Is given what the descriptions came to, which are then read also where nothing has to be made of them. */
  readonly onReads?: (reads: readonly Read[]) => void;
}

/** What was planned before, and all that was read for it. */
interface Entry {
  readonly inputs: Inputs;
  readonly plan: Plan;
}

/** Reads, lints and generates. When all that was read for the same configuration before is still the same, none of that is done. */
export async function planAll(
  config: Config,
  { only, cache = noCache, onReads, ...options }: PlanOptions,
): Promise<Plan> {
  // What the generators of others read is not known.
  const isOurs = config.descriptions.every(({ artifacts }) =>
    artifacts.every(({ generator }) => generator === undefined),
  );
  const whole = isOurs && onReads === undefined ? cache : noCache;
  const key = whole === noCache ? "" : hashOf(JSON.stringify([await identity(), config, only]));
  const known = (await whole.get(key)) as Entry | undefined;
  if (known !== undefined && (await areSame(known.inputs))) {
    noteInputs(known.inputs);
    return known.plan;
  }
  // The linter is loaded on another core while this one loads the generators.
  if (options.startLinting === undefined) awaitLinting();
  const { readAll } = await import("./generate.js");
  const { done, inputs } = recordInputs(() => readAll(config, { ...options, only, cache }));
  const { reads, refused } = await done;
  if (refused.length === 0) onReads?.(reads);
  const putOff = reads.filter((read) => read.later !== undefined);
  const plan: Plan = {
    packages: reads.flatMap((read) => read.packages),
    warnings: reads.map(({ folder, warnings }) => ({ folder, problems: warnings })),
    refused,
    operations: reads.reduce((sum, read) => sum + read.api.operations.length, 0),
    ...(putOff.length === 0 ? {} : { later: () => planLater(putOff) }),
  };
  // The linter reads by itself: what changed meanwhile it may have seen otherwise.
  if (refused.length === 0 && putOff.length === 0 && whole !== noCache) {
    const read = await inputs();
    if (await areSame(read)) await whole.put(key, { inputs: read, plan } satisfies Entry);
  }
  return plan;
}

async function planLater(reads: readonly Read[]): Promise<Later> {
  const packages: GeneratedPackage[] = [];
  const refused: Told[] = [];
  for (const { folder, later } of reads) {
    try {
      packages.push(...((await later?.()) ?? []));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      refused.push({ folder, problems: error.problems });
    }
  }
  return { packages, refused };
}
