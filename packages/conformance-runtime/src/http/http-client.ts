import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { NoResponseError } from "./no-response-error.js";
import { isStreamMediaType } from "./stream-items.js";

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  /** An absolute URL. Its path and query are sent unchanged. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** True for a stream that had not ended when the client stopped reading. */
  readonly isPartial?: boolean;
  /** Milliseconds. */
  readonly durationMs: number;
}

export interface HttpClient {
  /** @throws NoResponseError when the server does not respond. */
  send(sent: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

export interface HttpLimits {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of a response body. */
  readonly maxBytes: number;
  /** Milliseconds for which the client reads a stream of items, which may have no end. Default: 2,000. */
  readonly streamMs?: number;
}

/** Sends requests over kept-alive connections. Default timeout: 30 s. Default limit of a response body: 16 MiB. */
export function openHttpClient(limits: HttpLimits = { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 }): HttpClient {
  const plain = new HttpAgent({ keepAlive: true, scheduling: "lifo" });
  const secure = new HttpsAgent({ keepAlive: true, scheduling: "lifo" });
  return {
    async send(sent) {
      const agent = sent.url.startsWith("https:") ? secure : plain;
      try {
        return await exchange(sent, agent, limits);
      } catch (error) {
        // The server may close an idle connection while it is used again. The request itself is not at fault, so it is sent once more.
        if (!(error instanceof ConnectionClosedError)) throw error;
        return exchange(sent, false, limits);
      }
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

class ConnectionClosedError extends NoResponseError {
  override readonly name = "ConnectionClosedError";
}

const address = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^#]*)/;

function exchange(sent: HttpRequest, agent: HttpAgent | false, limits: HttpLimits): Promise<HttpResponse> {
  const startMs = performance.now();
  const request = createRequest(sent, agent);
  const timer = setTimeout(() => {
    request.destroy(new NoResponseError(`No response within ${limits.timeoutMs / 1000} s.`));
  }, limits.timeoutMs);
  return new Promise<HttpResponse>((resolve, reject) => {
    request.on("error", (error) => reject(toNoResponseError(error, request)));
    request.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      readBody(response, { request, limits })
        .then((body) => ({ status, headers: headersOf(response), durationMs: performance.now() - startMs, ...body }))
        .then(resolve, reject);
    });
    request.end(sent.body);
  }).finally(() => clearTimeout(timer));
}

function createRequest({ url, method, headers, body }: HttpRequest, agent: HttpAgent | false): ClientRequest {
  const [, scheme, host = "", port, path = ""] = address.exec(url) ?? [];
  if (scheme === undefined) throw new NoResponseError(`${url} is not an http URL.`);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return (scheme === "https" ? httpsRequest : httpRequest)({
    agent,
    host: host.replace(/^\[|\]$/g, ""),
    port: port ?? (scheme === "https" ? 443 : 80),
    path: path.startsWith("/") ? path : `/${path}`,
    method,
    headers: { ...headers, ...length },
  });
}

/** Reads a body to its end, or a stream of items for some time. */
function readBody(
  response: IncomingMessage,
  { request, limits }: { readonly request: ClientRequest; readonly limits: HttpLimits },
): Promise<Pick<HttpResponse, "text" | "isPartial">> {
  const chunks: Buffer[] = [];
  let size = 0;
  const readText = (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? "";
  const isStream = isStreamMediaType(response.headers["content-type"] ?? "");
  let streamTimer: NodeJS.Timeout | undefined;
  return new Promise<Pick<HttpResponse, "text" | "isPartial">>((resolve, reject) => {
    const stop = (): void => {
      resolve({ text: readText(), isPartial: true });
      request.destroy();
    };
    if (isStream) streamTimer = setTimeout(stop, limits.streamMs ?? 2000);
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.maxBytes) chunks.push(chunk);
      else if (isStream) stop();
      else {
        // Rejects at once, before the rest of the body arrives.
        reject(new NoResponseError(`The body has more than ${limits.maxBytes} bytes.`));
        request.destroy();
      }
    });
    response.on("error", (error) =>
      reject(error instanceof NoResponseError ? error : new NoResponseError("The connection broke within the body.")),
    );
    response.on("end", () => resolve({ text: readText() }));
  }).finally(() => clearTimeout(streamTimer));
}

function toNoResponseError(error: NodeJS.ErrnoException, { protocol, reusedSocket }: ClientRequest): NoResponseError {
  if (error instanceof NoResponseError) return error;
  const { code = "" } = error;
  const cause = { cause: error };
  if (protocol === "https:" && /EPROTO|^ERR_SSL/.test(code))
    return new NoResponseError(`The server does not speak TLS; its address may begin with http: (${code}).`, cause);
  if (reusedSocket && (code === "ECONNRESET" || code === "EPIPE"))
    return new ConnectionClosedError("The connection broke.", cause);
  if (code.startsWith("HPE_")) return new NoResponseError(describeParseError(error), cause);
  return new NoResponseError(`The connection broke (${error.code ?? error.message}).`, cause);
}

/** The errors of the parser have the bytes that it could not read. */
function describeParseError(error: Error & { readonly rawPacket?: Buffer }): string {
  const start = error.rawPacket?.toString("latin1").slice(0, 40) ?? "";
  return `The response is not HTTP/1.1: it begins with ${JSON.stringify(start)}.`;
}

function headersOf(response: IncomingMessage): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(", ");
  return headers;
}
