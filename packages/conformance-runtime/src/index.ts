export type * from "./suite.js";
export type * from "./results.js";
