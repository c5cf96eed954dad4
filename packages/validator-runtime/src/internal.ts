/** The parts of the adapters, for a server that validates in an order of its own. No part of the public API. */
export {
  createRequestValidator,
  defaultBodyLimitBytes,
  type ValidatedRequest,
  type RequestHead,
  type MatchedRoute,
  type RequestValidator,
  type PendingBody,
  type RouteEntry,
  type ValidationOutcome,
} from "./request-validator.js";
export { IssueCollector, type InputGroups } from "./validate-input.js";
export { ensureKnown, type KnownOptions } from "./known-options.js";
export { contentFor, parseMediaType } from "./media-type.js";
export type { Meter } from "./meter.js";
export { concatBytes, readNodeBytes, type NodeStream } from "./node-bytes.js";
export { NodeRequestHead, type NodeRequest } from "./node-request-head.js";
export { toValidationIssue } from "./validation-issue.js";
export { responseIssues } from "./responses.js";
export { createErrorResponse } from "./error-response.js";
export { maxQueryLength, readQuery } from "./query.js";
export { cookieParameters } from "./raw-parameters.js";
export { readWebBytes } from "./web-bytes.js";
export { WebRequestHead } from "./web-request-head.js";
