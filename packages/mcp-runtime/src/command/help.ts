import { shells } from "@plumbline/command-line";
import type { Toolset } from "../toolset.js";

/** The help text of the command. */
export function formatHelp({ command, title, version, environment, url, tools }: Toolset): string {
  const tag = tools[0]?.tag ?? "tag";
  const name = (tools.find(({ access }) => access === "write") ?? tools[0])?.name ?? "tool";
  const server = url ?? "https://api.example.com";
  return `${command}: offers the operations of the ${title} ${version} to models, as tools of an MCP server.

Usage: ${command} [options]               serves one client over standard input and output
       ${command} --port N [options]      serves clients over streamable HTTP
       ${command} list [options]          prints the tools that the options select
       ${command} completion SHELL        prints a script that completes options in ${shells.join(", ")}

  --url URL       address of the API with its base path. Default: ${environment}_URL${url === undefined ? "" : ", else the first server of the description"}
  --token TOKEN   token of the API. Default: ${environment}_TOKEN, which process lists do not show
  --scopes LIST   scopes of the token; tools that need others are hidden. Default: as the API states them, else unknown
  --allow LIST    what tools may do: write (create and change), delete (that, and delete), or names of single tools.
                  Default: only read
  --tools LIST    offers only these tools: names or tags, with * for any text. Default: all
  --timeout N     seconds for one call, 1 to 3600. Default: 50
  --max-result N  bytes of a result, 1000 to 10000000; larger ones are shortened. Default: 40000
  --port N        serves streamable HTTP on this port, at /mcp; 0 for any free port
  --host ADDRESS  address to listen on. Default: 127.0.0.1. Other machines need --access-token
  --access-token TOKEN
                  token that HTTP clients have to send. Default: ${environment}_ACCESS_TOKEN
  --json          with list: prints the tools as JSON, as clients receive them
  --help          prints this text
  --version       prints the version of the API

A call that deletes something has to be confirmed by the user: through the client, or else with a code that the first call returns.

Exit codes: 0 ended by the client or a signal, 1 cannot serve, 2 invalid usage.

Examples
  ${environment}_TOKEN=… ${command} --url ${server}
  ${command} --tools '${tag}' --allow write
  ${command} --allow ${name} --port 3000
  ${command} list --allow delete
`;
}
