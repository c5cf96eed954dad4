import { list, UsageError, type Option, type OptionValues } from "@plumbline/command-line";
import type { ServerOptions } from "../create-servers.js";
import { matchesTool } from "../tools/select-tools.js";
import type { Toolset } from "../toolset.js";

type SelectionOptions = Readonly<Record<"scopes" | "allow" | "tools", Option<readonly string[] | undefined>>>;

/** The options that select tools. */
export function selectionOptions({ tools }: Toolset): SelectionOptions {
  const names = tools.map(({ name }) => name);
  // Scripts for shells contain words without quotes.
  const tags = tools.map(({ tag }) => tag).filter((tag) => /^[\w./:-]+$/.test(tag));
  return {
    scopes: list(
      "LIST",
      "scopes of the token; tools that need others are hidden. Default: as the API states them, else unknown",
    ),
    allow: list(
      "LIST",
      "what tools may do: write (create and change), delete (that, and delete), or names of single tools. Default: only read",
      ["write", "delete", ...names],
    ),
    tools: list("LIST", "offers only these tools: names or tags, with * for any text. Default: all", [
      ...new Set([...tags, ...names]),
    ]),
  };
}

/** @throws UsageError for a word that matches no tool. */
export function checkSelection(
  { allow = [], tools = [], scopes }: OptionValues<SelectionOptions>,
  toolset: Toolset,
): Pick<ServerOptions, "allow" | "tools" | "scopes"> {
  const more = `\`${toolset.command} list --allow delete\` prints all names.`;
  for (const word of allow)
    if (word !== "write" && word !== "delete" && !toolset.tools.some(({ name }) => name === word))
      throw new UsageError(`--allow ${JSON.stringify(word)} is not "write", "delete" or the name of a tool. ${more}`);
  for (const pattern of tools)
    if (!toolset.tools.some((tool) => matchesTool(pattern, tool)))
      throw new UsageError(`--tools ${JSON.stringify(pattern)} matches no name or tag. ${more}`);
  return { allow, tools, scopes };
}
