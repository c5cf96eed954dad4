import { cleanUp } from "../clean.js";
import { runSuite } from "../run.js";

/** The functions that send requests; tests replace them. */
export interface Engine {
  readonly runSuite: typeof runSuite;
  readonly cleanUp: typeof cleanUp;
}

export const engine: Engine = { runSuite, cleanUp };
