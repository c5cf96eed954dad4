import { defineCommand, flag, type Command } from "@plumbline/command-line";
import { describeTool } from "../tools/describe-tool.js";
import { selectTools, type ToolSelection } from "../tools/select-tools.js";
import type { Toolset } from "../toolset.js";
import type { CommandIo } from "./io.js";
import { checkSelection, selectionOptions } from "./selection.js";

/** Creates the command that prints the tools of a selection. */
export function createListCommand(toolset: Toolset): Command<CommandIo> {
  return defineCommand({
    text: "Prints the tools that the options select, a line each.",
    options: { ...selectionOptions(toolset), json: flag("prints the tools as JSON, as clients receive them") },
    examples: [`${toolset.command} list --allow delete`],
    run: ({ json, ...selection }, { stdout }: CommandIo) => {
      stdout.write(formatTools(toolset, checkSelection(selection, toolset), json ? "json" : "text"));
      return 0;
    },
  });
}

function formatTools(
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
