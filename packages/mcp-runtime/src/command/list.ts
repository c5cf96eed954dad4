import { describeTool } from "../tools/describe-tool.js";
import { selectTools, type ToolSelection } from "../tools/select-tools.js";
import type { Toolset } from "../toolset.js";

/** Formats the tools that a selection offers: a line each, or as clients receive them. */
export function formatTools(
  toolset: Toolset,
  selection: ToolSelection & { readonly scopes?: readonly string[] | undefined },
  format: "text" | "json",
): string {
  const selected = selectTools(toolset, selection, { hasToken: true, scopes: selection.scopes });
  const tools = selected.map((tool) => describeTool(tool, { asksUser: false }));
  const json = JSON.stringify({ tools });
  if (format === "json") return `${json}\n`;
  const width = Math.max(0, ...selected.map(({ name }) => name.length));
  const lines = selected.map(
    ({ name, access, tag, title }) => `${name.padEnd(width)}  ${access.padEnd(6)}  ${tag}: ${title}`,
  );
  return `${[...lines, `${tools.length} of ${toolset.tools.length} tools, ${Buffer.byteLength(json)} bytes for the client.`].join("\n")}\n`;
}
