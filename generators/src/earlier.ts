import type { ConformanceInput } from "./conformance/settings.js";
import type { GeneratedFile } from "./emit/files.js";
import type { Api } from "./model/api.js";

/** What one time is of use to the next, so that what has not changed is not made again. */
export interface Earlier {
  /** By path: what a file was made as, and what the formatter made of it. */
  readonly formats: Map<string, { readonly text: string; readonly formatted: GeneratedFile }>;
  /** By the file of the description. */
  readonly models: Map<string, Api>;
  /** What suites were made from beside their descriptions, by their folders. */
  readonly suites: Map<string, ConformanceInput>;
}

export function nothingEarlier(): Earlier {
  return { formats: new Map(), models: new Map(), suites: new Map() };
}
