export type { CompletedCommand, CompletedCommands, OptionKind } from "./completed-commands.js";
export { formatCompletion, shells, UnknownShellError } from "./completion.js";
