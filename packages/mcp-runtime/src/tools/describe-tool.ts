import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ToolData } from "../toolset.js";

/** The argument with which a call is confirmed where the client cannot ask the user. */
export const confirmArgument = "confirm";

/**
 * Describes a tool for a client.
 *
 * @param asksUser Whether the client can ask the user. Otherwise tools that delete have the argument `confirm`.
 */
export function describeTool(tool: ToolData, { asksUser }: { readonly asksUser: boolean }): Tool {
  const { name, title, description, inputSchema, outputSchema, access, destructive, idempotent } = tool;
  const needsCode = access === "delete" && !asksUser;
  return {
    name,
    title,
    description,
    inputSchema: needsCode ? withConfirmation(inputSchema) : inputSchema,
    // The first call returns a code as text, which clients reject for a tool with an output schema.
    ...(outputSchema === undefined || needsCode ? {} : { outputSchema }),
    annotations:
      access === "read"
        ? { readOnlyHint: true, openWorldHint: false }
        : { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false },
  };
}

function withConfirmation(schema: ToolData["inputSchema"]): ToolData["inputSchema"] {
  const description = "The code that the first call returns. Pass it only after the user has agreed.";
  return { ...schema, properties: { ...schema.properties, [confirmArgument]: { type: "string", description } } };
}
