import path from "node:path";
import { toolset } from "@cloud-compute/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type CallToolResult, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { runCommand } from "@plumbline/mcp-runtime/command";
import { expect, onTestFinished } from "vitest";
import { repository } from "./places.js";

const program = path.join(repository, "packages", "mcp", "bin", "cloud-compute-mcp.js");

/** How the client of the official SDK behaves. */
export interface McpClientOptions {
  /** What the user responds when the server asks. Undefined: the client cannot ask. */
  readonly confirms?: boolean;
}

/** Connects a client of the official SDK, until the test ends. */
export async function connectMcp(transport: Transport, { confirms }: McpClientOptions = {}) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: confirms === undefined ? {} : { elicitation: {} } },
  );
  const questions: string[] = [];
  if (confirms !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return { action: confirms ? "accept" : "decline", ...(confirms ? { content: { confirm: true } } : {}) };
    });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    questions,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
      const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
      const text = result.content.map((each) => (each.type === "text" ? each.text : each.type)).join("\n");
      return { text, isError: result.isError === true, data: result.structuredContent };
    },
  };
}

/** Runs the command `cloud-compute-mcp` in this process, where its modules are loaded once, and connects over HTTP. */
export async function serveMcp(
  args: readonly string[],
  { env, ...options }: McpClientOptions & { readonly env?: Readonly<Record<string, string>> } = {},
) {
  return connectMcp(httpTransport(await serveMcpOverHttp(args, env)), options);
}

/** Runs the command in this process on a free port, until the test ends. Returns its URL. */
export async function serveMcpOverHttp(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const stop: (() => void)[] = [];
  let code: Promise<number> | undefined;
  const line = await new Promise<string>((resolve) => {
    const stream = { write: resolve };
    const io = { stdout: stream, stderr: stream, env, once: (_: unknown, listener: () => void) => stop.push(listener) };
    code = runCommand(toolset, [...args, "--port", "0"], io);
  });
  onTestFinished(async () => {
    for (const listener of stop) listener();
    expect(await code).toBe(0);
  });
  return line.trim().replace(/^.* /, "");
}

export function httpTransport(address: string, headers: Readonly<Record<string, string>> = {}): Transport {
  return new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
}

/** Starts the command `cloud-compute-mcp` as clients do, and connects over standard input and output. */
export async function startMcp(
  args: readonly string[],
  options: McpClientOptions & { readonly env?: Record<string, string>; readonly program?: string } = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [options.program ?? program, ...args],
    env: options.env ?? {},
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return { ...(await connectMcp(transport, options)), errors: () => errors };
}
