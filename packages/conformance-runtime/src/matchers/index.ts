export {
  createOperationMatchers,
  type MatcherResult,
  type MatchOptions,
  type OperationMatcherFunctions,
} from "./operation-matchers.js";
export type { MatchReturn } from "./received-response.js";
