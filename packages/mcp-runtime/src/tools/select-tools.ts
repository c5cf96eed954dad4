import type { ToolAccess, ToolData, Toolset } from "../toolset.js";
import { missingScopes } from "./scopes.js";

/** Which tools a server offers. */
export interface ToolSelection {
  /**
   * What tools may do: `write` to create and change, `delete` for that and to delete, or the names of single tools.
   *
   * @defaultValue only tools that read
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * The tools to offer: names and tags, with `*` for any text.
   *
   * @defaultValue all
   */
  readonly tools?: readonly string[] | undefined;
}

/** What is known about the token of the API. */
export interface TokenFacts {
  readonly hasToken: boolean;
  /** Undefined: unknown. */
  readonly scopes: readonly string[] | undefined;
}

/** Returns the tools that a server offers. */
export function selectTools(toolset: Toolset, selection: ToolSelection, token: TokenFacts): readonly ToolData[] {
  return toolset.tools.filter((tool) => hiddenBecause(tool, { toolset, selection, token }) === undefined);
}

/** Why a server does not offer a tool, as a sentence with what the user can do. Undefined if it offers the tool. */
export function hiddenBecause(
  tool: ToolData,
  {
    toolset,
    selection,
    token,
  }: { readonly toolset: Toolset; readonly selection: ToolSelection; readonly token: TokenFacts },
): string | undefined {
  const { allow = [], tools = [] } = selection;
  if (tools.length > 0 && !tools.some((pattern) => matchesTool(pattern, tool)))
    return `The user has not selected it. Only the user can do so, with \`--tools ${tool.name}\`.`;
  if (!allowedAccess(allow).includes(tool.access) && !allow.includes(tool.name))
    return `It ${effects[tool.access]}, which the user has not allowed. Only the user can do so, with \`--allow ${tool.access}\`.`;
  if (!token.hasToken && !tool.anonymous && toolset.credential !== undefined)
    return "It requires a token, and the server has none. Only the user can set one.";
  const missing = missingScopes(tool, token.scopes, toolset.scopes);
  if (missing.length === 0) return undefined;
  return `The token lacks the scope ${missing.map((scope) => `\`${scope}\``).join(" and ")}. Only the user can create another token.`;
}

const effects = {
  read: "reads",
  write: "creates or changes something",
  delete: "deletes something",
} satisfies Record<ToolAccess, string>;

function allowedAccess(allow: readonly string[]): readonly ToolAccess[] {
  if (allow.includes("delete")) return ["read", "write", "delete"];
  return allow.includes("write") ? ["read", "write"] : ["read"];
}

/** True if a name or a tag of `--tools` selects a tool. */
export function matchesTool(pattern: string, { name, tag }: Pick<ToolData, "name" | "tag">): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`, "i");
  return expression.test(name) || expression.test(tag);
}
