import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Client } from "@plumbline/client-runtime";
import type { ToolData, Toolset } from "../toolset.js";
import { explainError } from "./explain-error.js";
import { errorResult, formatResult } from "./format-result.js";
import type { ArgumentReader } from "./read-arguments.js";

/** What calls of tools share. */
export interface CallContext {
  readonly toolset: Toolset;
  readonly client: Client;
  readonly readArguments: ArgumentReader;
  readonly maxResultBytes: number;
}

/** Calls the operation of a tool, and returns its result or an explained error. */
export async function callTool(
  tool: ToolData,
  args: Readonly<Record<string, unknown>>,
  { toolset, client, readArguments, maxResultBytes, signal }: CallContext & { readonly signal: AbortSignal },
): Promise<CallToolResult> {
  const input = readArguments(tool, args);
  if ("issues" in input)
    return errorResult(
      `Nothing was sent: the arguments of ${tool.name} are not valid.\n${input.issues.map((issue) => `- ${issue}`).join("\n")}`,
    );
  const call = toolset.functions[tool.name];
  if (call === undefined) throw new Error(`The client has no function ${tool.name}.`);
  try {
    return await formatResult(tool, await call(client, input.request as never, { signal }), maxResultBytes);
  } catch (error) {
    return explainError(error, tool, toolset);
  }
}
