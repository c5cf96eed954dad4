import { testGenerator } from "@plumbline/kit/codegen/testing";
import mcpGenerator from "./index.js";

/** Returns the files of the MCP server of a description, by path. */
export async function generateMcpServer(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(mcpGenerator, { description, package: "@pets/mcp" });
}
