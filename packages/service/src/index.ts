export { startService, type Service } from "./service.js";
export { optionsOf, type Options } from "./options.js";
export type { ServiceObservers } from "./admin/watching.js";
export type { ObservedStatement, ObserveStatement } from "./store/statements.js";
