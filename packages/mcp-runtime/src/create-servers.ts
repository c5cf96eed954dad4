import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { withResponse } from "@plumbline/client-runtime";
import { callTool, type CallContext } from "./call/call-tool.js";
import { createConfirmation, type UserPrompt } from "./call/confirm-call.js";
import { createApiClient, type ApiOptions } from "./call/create-api-client.js";
import { errorResult } from "./call/format-result.js";
import { createArgumentReader } from "./call/read-arguments.js";
import { describeTool } from "./tools/describe-tool.js";
import { parseScopes } from "./tools/scopes.js";
import { hiddenBecause, selectTools, type ToolSelection, type TokenFacts } from "./tools/select-tools.js";
import type { Toolset } from "./toolset.js";

/** Options of MCP servers. */
export interface ServerOptions extends ApiOptions, ToolSelection {
  /**
   * The scopes of the token. Tools that need others are hidden.
   *
   * @defaultValue those that a response of the API names, where the description documents such a header
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Maximum bytes of a result. Larger ones are shortened, with a note.
   *
   * @defaultValue 40,000, about 10,000 tokens
   */
  readonly maxResultBytes?: number | undefined;
}

/**
 * Returns a function that creates an MCP server, one for each session. All of them share the client of the API and its rates.
 *
 * @example
 * const createServer = createServers(toolset, { token });
 * await createServer().connect(new StdioServerTransport());
 */
export function createServers(toolset: Toolset, options: ServerOptions = {}): () => McpServer {
  const client = createApiClient(toolset, options);
  const context = {
    toolset,
    client,
    readArguments: createArgumentReader(),
    maxResultBytes: options.maxResultBytes ?? 40_000,
  };
  let facts: Promise<TokenFacts | undefined> | undefined;
  const tokenFacts = async (): Promise<TokenFacts> => {
    const loaded = await (facts ??= readTokenFacts(context, options));
    // The API did not respond: the next request tries again.
    if (loaded === undefined) facts = undefined;
    return loaded ?? { hasToken: options.token !== undefined, scopes: undefined };
  };
  return () => createServer(context, options, tokenFacts);
}

function createServer(
  context: CallContext,
  selection: ToolSelection,
  tokenFacts: () => Promise<TokenFacts>,
): McpServer {
  const { toolset } = context;
  const mcp = new McpServer(
    { name: toolset.command, title: toolset.title, version: toolset.version },
    { capabilities: { tools: {} }, instructions: instructionsOf(toolset) },
  );
  const { server } = mcp;
  const confirm = createConfirmation();
  /** Asks within the response to a call, so that the question reaches the client of that call. */
  const promptFor =
    (relatedRequestId: RequestId, signal: AbortSignal): UserPrompt =>
    async (message) => {
      const options = { relatedRequestId, signal, timeout: promptTimeoutMs };
      const { action, content } = await server.elicitInput({ message, requestedSchema: agreement }, options);
      return action === "accept" && content?.["confirm"] === true;
    };
  const asksUser = (): boolean => server.getClientCapabilities()?.elicitation?.form !== undefined;

  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: selectTools(toolset, selection, await tokenFacts()).map((tool) =>
      describeTool(tool, { asksUser: asksUser() }),
    ),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    const tool = toolset.tools.find(({ name }) => name === params.name);
    if (tool === undefined) return errorResult(`Unknown tool ${JSON.stringify(params.name)}. List the tools again.`);
    const hidden = hiddenBecause(tool, { toolset, selection, token: await tokenFacts() });
    if (hidden !== undefined) return errorResult(`The tool ${tool.name} is not available. ${hidden}`);
    const args = params.arguments ?? {};
    const prompt = asksUser() ? promptFor(requestId, signal) : undefined;
    const rejected = tool.access === "delete" ? await confirm(tool, args, prompt) : undefined;
    if (rejected !== undefined) return rejected;
    const { confirm: _code, ...rest } = args;
    return callTool(tool, tool.access === "delete" ? rest : args, { ...context, signal });
  });
  return mcp;
}

/** Milliseconds that a user has to agree. */
const promptTimeoutMs = 5 * 60_000;

const agreement = {
  type: "object" as const,
  properties: { confirm: { type: "boolean" as const, title: "Yes, delete", default: false } },
  required: ["confirm"],
};

function instructionsOf({ title, version }: Toolset): string {
  return `Tools of the ${title}, version ${version}. Each calls one operation. Lists have pages: read the first before you request others. Ask the user before you change or delete something.`;
}

/** Milliseconds for the question about scopes, while a client waits for the tools. */
const scopesTimeoutMs = 10_000;

/** The facts about the token: as the options state them, else as the API does. Undefined if the API does not respond. */
async function readTokenFacts(
  { toolset, client }: CallContext,
  { token, scopes }: Pick<ServerOptions, "token" | "scopes">,
): Promise<TokenFacts | undefined> {
  const hasToken = token !== undefined;
  const { scopeSource } = toolset;
  if (!hasToken || scopes !== undefined || scopeSource === undefined) return { hasToken, scopes };
  const call = toolset.functions[scopeSource.tool];
  if (call === undefined) return { hasToken, scopes: undefined };
  try {
    const { headers } = (await withResponse(call(client, {} as never, { timeout: scopesTimeoutMs }))) as {
      readonly headers: Headers;
    };
    const stated = headers.get(scopeSource.header);
    return { hasToken, scopes: stated === null ? undefined : parseScopes(stated, toolset.scopes) };
  } catch {
    // Without the scopes all tools are listed, and the API rejects what the token may not do.
    return undefined;
  }
}
