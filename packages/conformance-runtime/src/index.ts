export { cleanUp, type CleanUpOptions, type CleanUpReport } from "./clean-up.js";
export type { Timer } from "./http/timer.js";
export type * from "./results.js";
export { readSuite } from "./read-suite.js";
export { runSuite } from "./run-suite.js";
export type * from "./suite.js";
