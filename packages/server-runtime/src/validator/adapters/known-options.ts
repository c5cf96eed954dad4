import type { ValidatorOptions, KnownOptions } from "../../http/index.js";
import type { ResponseValidationOptions } from "./responses.js";

type AdapterOption = keyof ValidatorOptions | keyof ResponseValidationOptions | "onError" | "errorFormat";

/** The options of every adapter. */
export const adapterOptions: KnownOptions & Readonly<Record<AdapterOption, KnownOptions[string]>> = {
  basePath: "any",
  unknown: ["ignore", "strip", "reject"],
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
  onError: "any",
  errorFormat: "any",
};
