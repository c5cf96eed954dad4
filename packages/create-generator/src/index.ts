export { createGenerator, ExistingFolderError, type GeneratorRequest } from "./create-generator.js";
export { main, type CommandIo, type ExitCode } from "./cli.js";
