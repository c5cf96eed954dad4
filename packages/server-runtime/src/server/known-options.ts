import type { KnownOptions } from "../http/index.js";
import type { BaseServerOptions } from "./options.js";

/** Every option of a server, with the allowed values of those that have some. */
export const serverOptions: KnownOptions & Readonly<Record<keyof BaseServerOptions, KnownOptions[string]>> = {
  basePath: "any",
  bodyLimit: "any",
  streamLimit: "any",
  bodyMemory: "any",
  bodyTimeoutMs: "any",
  streamTimeoutMs: "any",
  unreadTimeoutMs: "any",
  referenceLimit: "any",
  responseMemory: "any",
  responseMemoryPerUser: "any",
  unknown: ["ignore", "strip", "reject"],
  clock: "any",
  requestId: "any",
  validateResponses: ["enforce", "off"],
  log: "any",
  observe: "any",
  errorBody: "any",
  errorType: "any",
  missingHandlers: ["error", "not-implemented"],
  authenticate: "any",
  grants: "any",
  resources: "any",
  limits: "any",
  orderedValues: "any",
  operationRoutes: "any",
  transaction: "any",
  undocumentedResponse: "any",
};
