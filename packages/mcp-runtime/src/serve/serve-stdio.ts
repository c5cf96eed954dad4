import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/** Serves one session over standard input and output, until the input ends or the signal aborts. */
export async function serveStdio(mcp: McpServer, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    // The client has gone. Its next message would be the end of the input.
    process.stdout.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await mcp.connect(new StdioServerTransport());
  await ended;
  await mcp.close();
}
