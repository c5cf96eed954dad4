export { startService, type Service } from "./service.js";
export { optionsOf, UsageError, type Options } from "./options.js";
