import { readFileSync } from "node:fs";
import { runProgram, type Program } from "@plumbline/command-line";
import { toCommandFailure } from "./commands/command-failure.js";
import { formatForTerminal, type CommandIo } from "./commands/command.js";

/**
 * Runs `plumbline`.
 *
 * @param args - The arguments after the program's name.
 * @param io - The output streams, and the current folder.
 * @returns The exit code: 0 success, 1 problems in the input or a failed write, 2 wrong usage.
 */
export async function main(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runProgram({ name: "plumbline", version: readVersion, overview, commands }, args, io);
  } catch (error) {
    const failure = toCommandFailure(error, io.folder);
    if (failure === undefined) throw error;
    if ("message" in failure) io.stderr.write(`${failure.message}\n`);
    else if (args.includes("--json")) io.stdout.write(formatForTerminal(failure.diagnostics, "json", io));
    else io.stderr.write(formatForTerminal(failure.diagnostics, "text", io));
    return 1;
  }
}

const overview = `plumbline generates packages from an OpenAPI description.

Usage: plumbline COMMAND [options]

  init         set up a repository: plumbline.yaml, workspaces and scripts
  generate     lint the description and generate the packages (--check: compare only)
  mock         serve a stateful mock of a description, without writing files
  lint         report all diagnostics of the description
  model        print the model of the description as JSON
  bundle       print the description as one OpenAPI document, with samples, for other tools
  trace        trace each requirement to the description, the code and the tests
  diff         compare two descriptions: what changed, whom it breaks, and which code it concerns
  migrate      bring code that uses an API from one version of its description to the next
  schema       print the JSON Schema of plumbline.yaml, for editors
  completion   print a script that completes commands and options in bash, zsh or fish

  --help       after a command: print its options and examples
  --version    print the version

Without --spec, a command reads spec/plumbline.yaml of this folder or the nearest parent folder.
Exit codes: 0 success, 1 problems in the input or a failed write, 2 wrong usage.
`;

/** The commands. Each module loads on first use. */
const commands: Program<CommandIo>["commands"] = {
  init: async () => (await import("./commands/init-command.js")).initCommand,
  diff: async () => (await import("./commands/diff-command.js")).diffCommand,
  migrate: async () => (await import("./commands/migrate-command.js")).migrateCommand,
  generate: async () => (await import("./commands/generate-command.js")).generateCommand,
  mock: async () => (await import("./commands/mock/mock-command.js")).mockCommand,
  lint: async () => (await import("./commands/lint-command.js")).lintCommand,
  model: async () => (await import("./commands/model-command.js")).modelCommand,
  bundle: async () => (await import("./commands/bundle-command.js")).bundleCommand,
  schema: async () => (await import("./commands/schema-command.js")).schemaCommand,
  trace: async () => (await import("./commands/trace-command.js")).traceCommand,
};

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
