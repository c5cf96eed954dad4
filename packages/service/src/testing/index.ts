/** A client of the test controls: resets the service, moves its clock, and ends transient states. */
export * from "./src/gen/index.js";
