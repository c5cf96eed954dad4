import { createServers } from "../create-servers.js";
import type { Toolset } from "../toolset.js";
import { formatToolsetCompletion } from "./completion.js";
import { UsageError } from "./errors.js";
import { formatHelp } from "./help.js";
import type { CommandIo } from "./io.js";
import { formatTools } from "./list.js";
import { parseOptions } from "./options.js";
import { readSelection, readServerOptions, selectionOptions, serverOptions, setting } from "./server-options.js";

export type { CommandIo, OutputStream, StopSignal } from "./io.js";

/**
 * Runs the command of a toolset, such as `cloud-compute-mcp --url … --token …`.
 *
 * @param argv The arguments after the command's name.
 * @param io Node's `process`, or a replacement.
 * @returns The exit code: 0 ended by the client or a signal, 1 cannot serve, 2 invalid usage.
 */
export async function runCommand(toolset: Toolset, argv: readonly string[], io: CommandIo): Promise<number> {
  const [first = ""] = argv;
  if (first === "help" || argv.includes("--help") || argv.includes("-h")) {
    io.stdout.write(formatHelp(toolset));
    return 0;
  }
  if (first === "--version") {
    io.stdout.write(`${toolset.command} ${toolset.version}\n`);
    return 0;
  }
  try {
    const isServe = first === "" || first === "serve" || first.startsWith("-");
    if (isServe) return await serve(toolset, first === "serve" ? argv.slice(1) : argv, io);
    if (first === "list") io.stdout.write(list(toolset, argv.slice(1)));
    else if (first === "completion") io.stdout.write(completion(toolset, argv.slice(1)));
    else throw new UsageError(`Unknown command ${JSON.stringify(first)}. The commands are serve, list and completion.`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr.write(`${error.message}\nSee ${toolset.command} --help.\n`);
    return 2;
  }
}

const listOptions = { ...selectionOptions, json: "flag" } as const;

function list(toolset: Toolset, args: readonly string[]): string {
  const options = parseOptions(args, listOptions);
  return formatTools(toolset, readSelection(options, toolset), options.flag("json") ? "json" : "text");
}

function completion(toolset: Toolset, args: readonly string[]): string {
  const { positionals } = parseOptions(args, {}, 1);
  return formatToolsetCompletion(toolset, { serve: serverOptions, list: listOptions }, positionals[0]);
}

async function serve(toolset: Toolset, args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, serverOptions);
  const createServer = createServers(toolset, readServerOptions(options, toolset, io));
  const port = options.wholeNumber("port", 0, 65_535);
  const [host, accessToken] = [
    options.text("host"),
    options.text("access-token") ?? setting(io.env[`${toolset.environment}_ACCESS_TOKEN`]),
  ];
  if (port === undefined && host !== undefined)
    throw new UsageError("--host needs --port. Pass the port to listen on.");
  const stop = new AbortController();
  io.once("SIGINT", () => stop.abort());
  io.once("SIGTERM", () => stop.abort());
  if (port === undefined) {
    const { serveStdio } = await import("../serve/serve-stdio.js");
    await serveStdio(createServer(), stop.signal);
    return 0;
  }
  const { serveHttp } = await import("../serve/serve-http.js");
  try {
    const { url, close } = await serveHttp(createServer, { port, host, accessToken });
    io.stderr.write(`${toolset.command}: listening on ${url}\n`);
    await new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
    await close();
    return 0;
  } catch (error) {
    io.stderr.write(`${toolset.command}: ${(error as Error).message}\n`);
    return 1;
  }
}
