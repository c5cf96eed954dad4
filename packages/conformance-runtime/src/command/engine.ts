import { cleanUp } from "../clean.js";
import { runSuite } from "../run.js";

/** What asks the server. */
export interface Engine {
  readonly runSuite: typeof runSuite;
  readonly cleanUp: typeof cleanUp;
}

export const engine: Engine = { runSuite, cleanUp };
