import { randomUUID } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { checkRequest, isLoopback } from "./check-request.js";
import { BodyTooLargeError, readBody } from "./read-body.js";
import { createSessions, type Sessions } from "./sessions.js";

/** Options of `serveHttp`. */
export interface HttpOptions {
  /** 0: any free port. */
  readonly port: number;
  /**
   * The address to listen on.
   *
   * @defaultValue `127.0.0.1`
   */
  readonly host?: string | undefined;
  /** The token that clients send as `Authorization: Bearer`. Required for an address that other machines reach. */
  readonly accessToken?: string | undefined;
  /**
   * Maximum number of sessions. One more ends the session that was idle longest.
   *
   * @defaultValue 100
   */
  readonly maxSessions?: number | undefined;
}

/** A server that listens. */
export interface ListeningServer {
  /** The URL for clients. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves MCP over streamable HTTP, at the path `/mcp`.
 *
 * @throws Error if the address is not free, or reachable by other machines without an access token.
 */
export async function serveHttp(
  createServer: () => McpServer,
  { port, host = "127.0.0.1", accessToken, maxSessions = 100 }: HttpOptions,
): Promise<ListeningServer> {
  const policy = { isLocal: isLoopback(host), accessToken };
  if (!policy.isLocal && accessToken === undefined)
    throw new Error(`Other machines reach ${host}. Set an access token, or listen on 127.0.0.1.`);
  const sessions = createSessions<Session>({ max: maxSessions, close: ({ mcp }) => mcp.close() });
  const server = createHttpServer((request, response) => {
    const rejected = checkRequest(request.headers, policy);
    if (rejected !== undefined) return respond(response, rejected.status, rejected.message);
    handleRequest(request, response, { sessions, createServer }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof BodyTooLargeError) respond(response, 413, error.message);
      else respond(response, 500, "Internal error");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}/mcp`,
    close: async () => {
      await sessions.closeAll();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  readonly mcp: McpServer;
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions, createServer }: { readonly sessions: Sessions<Session>; readonly createServer: () => McpServer },
): Promise<void> {
  if (new URL(request.url ?? "/", "http://localhost").pathname !== "/mcp")
    return respond(response, 404, "The path is /mcp.");
  const text = request.method === "POST" ? await readBody(request) : "";
  const body = request.method === "POST" ? parseJson(text) : undefined;
  if (body === invalidJson) return respond(response, 400, "The body is not JSON.", -32700);
  const id = request.headers["mcp-session-id"];
  if (typeof id === "string") {
    const session = sessions.use(id);
    if (session === undefined) return respond(response, 404, "Unknown session. Initialize a new one.", -32001);
    return session.transport.handleRequest(request, response, body);
  }
  const session = await openSession(sessions, createServer);
  await session.transport.handleRequest(request, response, body);
  // A request that did not initialize a session was rejected.
  if (session.transport.sessionId === undefined) await session.mcp.close();
}

async function openSession(sessions: Sessions<Session>, createServer: () => McpServer): Promise<Session> {
  const mcp = createServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add(id, { transport, mcp }),
    onsessionclosed: (id) => sessions.remove(id),
  });
  await mcp.connect(transport);
  return { transport, mcp };
}

const invalidJson = Symbol("invalid JSON");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalidJson;
  }
}

function respond(response: ServerResponse, status: number, message: string, code = -32000): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
