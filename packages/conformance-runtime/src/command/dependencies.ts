import { cleanUp } from "../clean-up.js";
import { runSuite } from "../run-suite.js";

/** The functions that send requests; tests replace them. */
export interface CommandDependencies {
  readonly runSuite: typeof runSuite;
  readonly cleanUp: typeof cleanUp;
}

export const commandDependencies: CommandDependencies = { runSuite, cleanUp };
