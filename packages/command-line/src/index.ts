export { formatCommandHelp, formatOptions } from "./help.js";
export {
  decimal,
  flag,
  integer,
  list,
  oneOf,
  optionalArgument,
  parsed,
  repeatable,
  requiredArgument,
  string,
  type Option,
  type Options,
  type OptionValues,
} from "./options.js";
export { parseArguments } from "./parse-arguments.js";
export { defineCommand, runProgram, type Command, type CommandDefinition, type Program } from "./program.js";
export { formatSuggestion } from "./suggestion.js";
export { UsageError } from "./usage-error.js";
