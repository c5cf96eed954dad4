export { startService, type Service } from "./service.js";
export { optionsOf, type Options } from "./options.js";
