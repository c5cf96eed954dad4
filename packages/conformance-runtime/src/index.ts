export type * from "./suite.js";
export type * from "./results.js";
export { readSuite } from "./read-suite.js";
