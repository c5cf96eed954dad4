import type { ServerOptions } from "../create-servers.js";
import { matchesTool } from "../tools/select-tools.js";
import type { Toolset } from "../toolset.js";
import { UsageError } from "./errors.js";
import type { CommandIo } from "./io.js";
import type { OptionKinds, ParsedOptions } from "./options.js";

/** The options that select tools. */
export const selectionOptions: OptionKinds = { allow: "text", tools: "text", scopes: "text" };

/** The options of a server, beside those that select tools. */
export const serverOptions: OptionKinds = {
  url: "text",
  token: "text",
  ...selectionOptions,
  timeout: "text",
  "max-result": "text",
  port: "text",
  host: "text",
  "access-token": "text",
};

/** Reads the tools that options select. */
export function readSelection(
  options: ParsedOptions,
  toolset: Toolset,
): Pick<ServerOptions, "allow" | "tools" | "scopes"> {
  const allow = options.list("allow") ?? [];
  const tools = options.list("tools") ?? [];
  const more = `\`${toolset.command} list --allow delete\` prints all names.`;
  for (const word of allow)
    if (word !== "write" && word !== "delete" && !toolset.tools.some(({ name }) => name === word))
      throw new UsageError(`--allow ${JSON.stringify(word)} is not "write", "delete" or the name of a tool. ${more}`);
  for (const pattern of tools)
    if (!toolset.tools.some((tool) => matchesTool(pattern, tool)))
      throw new UsageError(`--tools ${JSON.stringify(pattern)} matches no name or tag. ${more}`);
  return { allow, tools, scopes: options.list("scopes") };
}

/** Reads the options of a server. Precedence: options, environment, description. */
export function readServerOptions(options: ParsedOptions, toolset: Toolset, { env }: CommandIo): ServerOptions {
  const { environment } = toolset;
  const url = options.text("url") ?? setting(env[`${environment}_URL`]);
  if (url === undefined && toolset.url === undefined)
    throw new UsageError(`Missing address of the API. Pass --url, or set ${environment}_URL.`);
  const token = options.text("token") ?? setting(env[`${environment}_TOKEN`]);
  if (token === undefined && toolset.tools.every(({ anonymous }) => !anonymous))
    throw new UsageError(`Missing token. Set ${environment}_TOKEN, or pass --token.`);
  const seconds = options.wholeNumber("timeout", 1, 3600);
  return {
    ...readSelection(options, toolset),
    url: url === undefined ? undefined : checkUrl(url),
    token,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxResultBytes: options.wholeNumber("max-result", 1000, 10_000_000),
  };
}

/** An empty variable counts as absent. */
export function setting(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.hash === "") return text;
  throw new UsageError(
    `--url ${JSON.stringify(text)} is not the address of an API. Write a complete URL, such as http://127.0.0.1:8080/v4.`,
  );
}
