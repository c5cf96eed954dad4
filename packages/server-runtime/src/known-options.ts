import type { KnownOptions } from "@plumbline/validator-runtime/serving";
import type { ServeOptions } from "./options.js";

/** Every option of a server, with the allowed values of those that have some. */
export const serverOptions: KnownOptions & Readonly<Record<keyof ServeOptions, KnownOptions[string]>> = {
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
  replies: ["check", "trust"],
  log: "any",
  errorBody: "any",
  errorType: "any",
  missing: ["error", "not-implemented"],
  authenticate: "any",
  grants: "any",
  resources: "any",
  limits: "any",
  orders: "any",
  links: "any",
  transaction: "any",
};
