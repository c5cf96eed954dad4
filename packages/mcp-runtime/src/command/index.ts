import { formatOptions, runProgram } from "@plumbline/command-line";
import type { Toolset } from "../toolset.js";
import type { CommandIo } from "./io.js";
import { createListCommand } from "./list.js";
import { createServeCommand, serveOptions } from "./serve.js";

export type { CommandIo, OutputStream, StopSignal } from "./io.js";

/**
 * Runs the command of a toolset, such as `cloud-compute-mcp --url … --token …`.
 *
 * @param argv The arguments after the command's name.
 * @param io Node's `process`, or a replacement.
 * @returns The exit code: 0 ended by the client or a signal, 1 cannot serve, 2 invalid usage.
 */
export async function runCommand(toolset: Toolset, argv: readonly string[], io: CommandIo): Promise<number> {
  const { command, version } = toolset;
  const program = {
    name: command,
    version: () => `${command} ${version}`,
    overview: formatOverview(toolset),
    commands: { serve: () => createServeCommand(toolset), list: () => createListCommand(toolset) },
    defaultCommand: "serve",
  };
  return runProgram(program, argv, io);
}

function formatOverview(toolset: Toolset): string {
  const { command, title, version, environment, url, tools } = toolset;
  const name = (tools.find(({ access }) => access === "write") ?? tools[0])?.name ?? "tool";
  return `${command}: offers the operations of the ${title} ${version} to models, as tools of an MCP server.

Usage: ${command} [options]               serves one client over standard input and output
       ${command} --port N [options]      serves clients over streamable HTTP
       ${command} list [options]          prints the tools that the options select
       ${command} completion SHELL        prints a script that completes options in bash, zsh or fish

${formatOptions(serveOptions(toolset))}
  --help         prints this text; after list, its options
  --version      prints the version of the API

A call that deletes something has to be confirmed by the user: through the client, or else with a code that the first call returns.

Exit codes: 0 ended by the client or a signal, 1 cannot serve, 2 invalid usage.

Examples
  ${environment}_TOKEN=… ${command} --url ${url ?? "https://api.example.com"}
  ${command} --tools '${tools[0]?.tag ?? "tag"}' --allow write
  ${command} --allow ${name} --port 3000
  ${command} list --allow delete
`;
}
