import { noCache, type Cache } from "./cache.js";

/** What runs keep so that nothing unchanged is made again, from the coarsest level to the finest. */
export interface Incremental {
  /** Complete plans, by configuration and the inputs of the run. */
  readonly runs: Cache;
  /** The files of one artifact, by model and options. */
  readonly artifacts: Cache;
  readonly formatted: FormattedTexts;
}

/** Creates an empty state. Without a cache, it lasts as long as the process. */
export function createIncremental(cache: Cache = noCache): Incremental {
  return { runs: cache, artifacts: cache, formatted: new FormattedTexts() };
}

/** The formatted texts of this run and of the one before: packages have files in common, and most of a run is as it was. */
class FormattedTexts {
  #now = new Map<string, Promise<string>>();
  #before: ReadonlyMap<string, Promise<string>> = new Map();

  /** Begins another run. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  async get(key: string, format: () => Promise<string>): Promise<string> {
    const formatted = this.#now.get(key) ?? this.#before.get(key) ?? format();
    this.#now.set(key, formatted);
    return formatted;
  }
}
