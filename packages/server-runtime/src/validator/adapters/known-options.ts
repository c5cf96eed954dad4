import type { ValidatorOptions, KnownOptions } from "../../http/index.js";
import type { ResponseValidationOptions } from "./responses.js";
import type { SecurityOptions } from "./security-options.js";

type AdapterOption =
  | keyof ValidatorOptions
  | keyof ResponseValidationOptions
  | keyof SecurityOptions<object>
  | "onError"
  | "errorFormat";

/** The options of adapters that generated validators replace or provide. */
export type ProvidedOption =
  | "operations"
  | "responseValidators"
  | "responseHeaders"
  | "security"
  | "securityCheck"
  | "queryCredentials";

/** The options of every adapter. */
export const adapterOptions: KnownOptions & Readonly<Record<AdapterOption, KnownOptions[string]>> = {
  basePath: "any",
  unknown: ["ignore", "strip", "reject"],
  unknownQuery: ["ignore", "reject"],
  queryCredentials: "any",
  security: "any",
  securityCheck: "any",
  bodyLimit: "any",
  operations: "any",
  ignoreUndocumented: "any",
  ignorePaths: "any",
  unreadBodies: "any",
  acceptParsedBody: "any",
  reason: "any",
  validateResponses: ["off", "report", "enforce"],
  onInvalidResponse: "any",
  responseValidators: "any",
  responseHeaders: "any",
  onError: "any",
  errorFormat: "any",
};
