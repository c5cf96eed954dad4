import {
  defineCommand,
  integer,
  string,
  UsageError,
  type Command,
  type Option,
  type OptionValues,
} from "@plumbline/command-line";
import { createServers, type ServerOptions } from "../create-servers.js";
import type { Toolset } from "../toolset.js";
import type { CommandIo } from "./io.js";
import { checkSelection, selectionOptions } from "./selection.js";

type ServeOptions = ReturnType<typeof selectionOptions> &
  Readonly<Record<"url" | "token" | "host" | "accessToken", Option<string | undefined>>> &
  Readonly<Record<"timeout" | "maxResult" | "port", Option<number | undefined>>>;

/** The options of a server. */
export function serveOptions(toolset: Toolset): ServeOptions {
  const { environment, url } = toolset;
  const fromDescription = url === undefined ? "" : ", else the first server of the description";
  return {
    url: string("URL", `address of the API with its base path. Default: ${environment}_URL${fromDescription}`),
    token: string("TOKEN", `token of the API. Default: ${environment}_TOKEN, which process lists do not show`),
    ...selectionOptions(toolset),
    timeout: integer("N", { least: 1, most: 3600 }, "seconds for one call, 1 to 3600. Default: 50"),
    maxResult: integer(
      "N",
      { least: 1000, most: 10_000_000 },
      "bytes of a result, 1000 to 10000000; larger ones are shortened. Default: 40000",
    ),
    port: integer("N", { least: 0, most: 65_535 }, "serves streamable HTTP on this port, at /mcp; 0 for any free port"),
    host: string("ADDRESS", "address to listen on. Default: 127.0.0.1. Other machines need --access-token"),
    accessToken: string("TOKEN", `token that HTTP clients have to send. Default: ${environment}_ACCESS_TOKEN`),
  };
}

/** Creates the command that serves the tools. */
export function createServeCommand(toolset: Toolset): Command<CommandIo> {
  return defineCommand({
    text: "Serves the tools over standard input and output, or with --port over streamable HTTP.",
    options: serveOptions(toolset),
    run: async (values, io: CommandIo) => serve(toolset, values, io),
  });
}

async function serve(toolset: Toolset, values: OptionValues<ServeOptions>, io: CommandIo): Promise<number> {
  const createServer = createServers(toolset, toServerOptions(values, toolset, io));
  const { port, host, accessToken = readVariable("ACCESS_TOKEN", toolset, io) } = values;
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

/** Precedence: options, environment, description. */
function toServerOptions(values: OptionValues<ServeOptions>, toolset: Toolset, io: CommandIo): ServerOptions {
  const { url = readVariable("URL", toolset, io), token = readVariable("TOKEN", toolset, io), timeout } = values;
  if (url === undefined && toolset.url === undefined)
    throw new UsageError(`Missing address of the API. Pass --url, or set ${toolset.environment}_URL.`);
  if (token === undefined && toolset.tools.every(({ anonymous }) => !anonymous))
    throw new UsageError(`Missing token. Set ${toolset.environment}_TOKEN, or pass --token.`);
  return {
    ...checkSelection(values, toolset),
    url: url === undefined ? undefined : checkUrl(url),
    token,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    maxResultBytes: values.maxResult,
  };
}

/** An empty variable counts as absent. */
function readVariable(name: string, { environment }: Toolset, { env }: CommandIo): string | undefined {
  return env[`${environment}_${name}`] || undefined;
}

function checkUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.hash === "") return address;
  throw new UsageError(
    `--url ${JSON.stringify(address)} is not the address of an API. Write a complete URL, such as http://127.0.0.1:8080/v4.`,
  );
}
