import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A handled request, for a log. */
export interface HandledRequest {
  readonly method: string;
  /** The path with its query, as the client has sent it. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** True if no state explains the response: it is the documented example. */
  readonly isExample: boolean;
}

export interface HttpHostOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Responds to requests, as `fetch` would. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly handled: (request: HandledRequest) => void;
  /** Called for an error of `fetch`, to which the host responds with 500. */
  readonly failed: (error: unknown) => void;
}

/** A host that listens. */
export interface HttpHost {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** The host cannot listen. The message says why, and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Serves a fetch-style function over HTTP.
 *
 * @throws ListenError if the port is in use, or not permitted
 */
export async function listenHttp({ host, port, fetch, handled, failed }: HttpHostOptions): Promise<HttpHost> {
  const server = createServer((incoming, outgoing) => {
    const started = performance.now();
    void respond(incoming, outgoing, fetch)
      .catch((error: unknown) => {
        if (!isDropped(error)) failed(error);
        if (outgoing.headersSent || isDropped(error)) outgoing.destroy();
        else outgoing.writeHead(500, { "Content-Type": "application/json" }).end('{"title":"Internal error"}');
      })
      .then(() =>
        handled({
          method: incoming.method ?? "",
          target: incoming.url ?? "",
          status: outgoing.statusCode,
          milliseconds: performance.now() - started,
          isExample: outgoing.getHeader("plumbline-mock") === "example",
        }),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { address, port: actual } = server.address() as AddressInfo;
  const shown = address.includes(":") ? `[${address}]` : address;
  return { origin: `http://${shown}:${actual}`, close: async () => close(server) };
}

function listenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): ListenError {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Stop the other program, or choose another port with --port.`,
    EACCES: `Port ${port} requires more permissions. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another one with --host.`,
    ENOTFOUND: `${host} is not an address of this machine. Choose another one with --host.`,
  };
  return new ListenError(messages[code ?? ""] ?? message);
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** A connection that a fault of the mock drops. */
function isDropped(error: unknown): boolean {
  return error instanceof Error && error.name === "DroppedConnectionError";
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetch: HttpHostOptions["fetch"],
): Promise<void> {
  const body = await readBody(incoming);
  if (body === "too large") {
    outgoing.writeHead(413, { Connection: "close" }).end();
    return;
  }
  const request = createRequest(incoming, body);
  if (request === undefined) {
    outgoing.writeHead(405).end();
    return;
  }
  const response = await fetch(request);
  const content = response.body === null ? undefined : Buffer.from(await response.arrayBuffer());
  outgoing.statusCode = response.status;
  outgoing.statusMessage = response.statusText;
  for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.end(content);
}

/** Memory is bounded: a larger body is rejected. */
const maxBodyBytes = 64 * 2 ** 20;

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined | "too large"> {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return "too large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Undefined for a method that fetch does not know: `CONNECT`, `TRACE` and `TRACK`. */
function createRequest(incoming: IncomingMessage, body: Buffer | undefined): Request | undefined {
  const { method = "GET", url = "/", headersDistinct, headers: known } = incoming;
  if (/^(CONNECT|TRACE|TRACK)$/i.test(method)) return undefined;
  const headers: [string, string][] = [];
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.push([name, value]);
  const address = url.startsWith("/") ? `http://${known.host ?? "localhost"}${url}` : url;
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  try {
    return new Request(address, { method, headers, ...(hasBody ? { body: new Uint8Array(body) } : {}) });
  } catch {
    return new Request(`http://localhost${url.startsWith("/") ? url : "/"}`, { method, headers });
  }
}
