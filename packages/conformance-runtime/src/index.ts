export { cleanUp, type CleanOptions, type CleanReport } from "./clean.js";
export type * from "./results.js";
export { readSuite } from "./read-suite.js";
export { runSuite } from "./run.js";
export type * from "./suite.js";
