/** The parts of the adapters, for a server that validates in an order of its own. No part of the public API. */
export {
  buildGuard,
  usualBodyLimit,
  type Accepted,
  type Exchange,
  type FoundRoute,
  type Guard,
  type Pending,
  type Planned,
  type Verdict,
} from "./guard.js";
export { Findings, type Groups } from "./judge.js";
export { ensureKnown, type KnownOptions } from "./known-options.js";
export { contentFor, parseMediaType } from "./media-type.js";
export type { Meter } from "./meter.js";
export { joined, readNodeBytes, type NodeStream } from "./node-bytes.js";
export { NodeExchange, type NodeRequest } from "./node-exchange.js";
export { publicFault } from "./public-fault.js";
export { faultsOf } from "./replies.js";
export { refusalOf } from "./refusal.js";
export { longestQuery, readQuery } from "./query.js";
export { sentInCookies } from "./sent.js";
export { readWebBytes } from "./web-bytes.js";
export { WebExchange } from "./web-exchange.js";
