import { noCache, type Cache } from "./cache.js";
import type { Config } from "./config.js";
import type { GeneratedPackage } from "./emit/files.js";
import type { Read, ReadOptions } from "./generate.js";
import { identity } from "./identity.js";
import { areSame, hashOf, recordInputs, noteInputs, type Inputs } from "./inputs.js";
import { ProblemError, type Problem } from "./problem.js";
import { awaitLinting } from "./spec/background.js";

/** The packages to write for a configuration, and its diagnostics. */
export interface Plan {
  readonly packages: readonly GeneratedPackage[];
  /** Generates the deferred packages; undefined where there are none. Their diagnostics affect no other package. */
  readonly later?: () => Promise<Later>;
  /** Warnings, by the folder that their paths are relative to. */
  readonly warnings: readonly Told[];
  /** Errors, by folder. Where there are any, nothing is written. */
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
  /** The artifacts to generate. Empty: all of them. */
  readonly only: readonly string[];
  readonly cache?: Cache;
  /** Receives the results of all descriptions. With this option they are read even where the cache has the packages. */
  readonly onReads?: (reads: readonly Read[]) => void;
}

/** A cached plan, with its inputs. */
interface Entry {
  readonly inputs: Inputs;
  readonly plan: Plan;
}

/** Reads, lints and generates. Returns the cached plan of the same configuration where all of its inputs are unchanged. */
export async function planAll(
  config: Config,
  { only, cache = noCache, onReads, ...options }: PlanOptions,
): Promise<Plan> {
  // The inputs of custom generators are unknown.
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
  // The linter loads on another core while this one loads the generators.
  if (options.startLinting === undefined) awaitLinting();
  const { readAll } = await import("./generate.js");
  const { done, inputs } = recordInputs(() => readAll(config, { ...options, only, cache }));
  const read = await done;
  const { reads } = read;
  if (read.refused.length === 0) onReads?.(reads);
  const putOff = reads.filter(({ later }) => later !== undefined);
  const plan: Plan = {
    packages: reads.flatMap(({ packages }) => packages),
    warnings: reads.map(({ folder, warnings }): Told => ({ folder, problems: warnings })),
    refused: read.refused,
    operations: reads.reduce((sum, { api }) => sum + api.operations.length, 0),
    ...(putOff.length === 0 ? {} : { later: () => planLater(putOff) }),
  };
  // The linter reads the files itself, and may have seen another version of a file that changed meanwhile.
  if (read.refused.length === 0 && putOff.length === 0 && whole !== noCache) {
    const recorded = await inputs();
    if (await areSame(recorded)) await whole.put(key, { inputs: recorded, plan } satisfies Entry);
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
