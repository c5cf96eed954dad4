import type { GeneratedFile } from "@plumbline/kit/codegen";
import { noCache, type Cache } from "./cache.js";

/** What runs keep so that nothing unchanged is made again, from the coarsest level to the finest. */
export interface Incremental {
  /** Complete plans, by configuration and the inputs of the run. */
  readonly runs: Cache;
  /** The files of one artifact, by model and options. */
  readonly artifacts: Cache;
  /** Generated and formatted texts of this process, by path. */
  readonly formats: Map<string, { readonly text: string; readonly formatted: GeneratedFile }>;
}

/** Creates an empty state. Without a cache, it lasts as long as the process. */
export function createIncremental(cache: Cache = noCache): Incremental {
  return { runs: cache, artifacts: cache, formats: new Map() };
}
