export { cleanUp, type CleanUpOptions, type CleanUpReport } from "./cleanup/clean-up.js";
export type * from "./results.js";
export { readSuite } from "./read-suite.js";
export { runSuite } from "./run/run-suite.js";
export type * from "./suite.js";
