import type { ConformanceInput } from "../../../../generators/conformance/src/settings.js";
import type { GeneratedFile } from "../../../codegen/src/files.js";
import type { Api } from "../../../model/src/api.js";

/** State that one run of the watch mode keeps for the next, so that unchanged parts are not generated again. */
export interface IncrementalState {
  /** Generated and formatted texts, by path. */
  readonly formats: Map<string, { readonly text: string; readonly formatted: GeneratedFile }>;
  /** Models, by the file of the description. */
  readonly models: Map<string, Api>;
  /** Inputs of conformance suites, by their folders. */
  readonly suites: Map<string, ConformanceInput>;
}

export function createIncrementalState(): IncrementalState {
  return { formats: new Map(), models: new Map(), suites: new Map() };
}
