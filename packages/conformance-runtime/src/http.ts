import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  /** An absolute URL. Its path and query are sent unchanged. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Milliseconds. */
  readonly took: number;
}

/** The server did not respond: connection refused, connection lost, or timeout. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface Http {
  send(sent: Sent): Promise<Answer>;
  close(): void;
}

export interface HttpLimits {
  /** Milliseconds. */
  readonly timeout: number;
  /** Maximum size of a response body. */
  readonly mostBytes: number;
}

/** Sends requests over kept-alive connections. Default timeout: 30 s. Default limit of a response body: 16 MiB. */
export function openHttp(limits: HttpLimits = { timeout: 30_000, mostBytes: 16 * 1024 * 1024 }): Http {
  const plain = new HttpAgent({ keepAlive: true, scheduling: "lifo" });
  const secure = new HttpsAgent({ keepAlive: true, scheduling: "lifo" });
  return {
    async send(sent) {
      const agent = sent.url.startsWith("https:") ? secure : plain;
      try {
        return await exchange(sent, agent, limits);
      } catch (error) {
        // The server may close an idle connection while it is used again. The request itself is not at fault, so it is sent once more.
        if (!(error instanceof Closed)) throw error;
        return exchange(sent, false, limits);
      }
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

class Closed extends NoAnswer {}

const address = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^#]*)/;

function exchange(sent: Sent, agent: HttpAgent | false, limits: HttpLimits): Promise<Answer> {
  const [, scheme, host = "", port, path = ""] = address.exec(sent.url) ?? [];
  if (scheme === undefined) throw new NoAnswer(`${sent.url} is not an http URL.`);
  const started = performance.now();
  const { promise, resolve, reject } = settled();
  const length = sent.body === undefined ? {} : { "content-length": String(Buffer.byteLength(sent.body)) };
  const request = (scheme === "https" ? httpsRequest : httpRequest)({
    agent,
    host: host.replace(/^\[|\]$/g, ""),
    port: port ?? (scheme === "https" ? 443 : 80),
    path: path.startsWith("/") ? path : `/${path}`,
    method: sent.method,
    headers: { ...sent.headers, ...length },
  });
  const timer = setTimeout(() => {
    request.destroy(new NoAnswer(`No response within ${limits.timeout / 1000} s.`));
  }, limits.timeout);
  request.on("error", (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    if (error instanceof NoAnswer) reject(error);
    else if (request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE"))
      reject(new Closed("The connection broke.", { cause: error }));
    else reject(new NoAnswer(`The connection broke (${error.code ?? error.message}).`, { cause: error }));
  });
  request.on("response", (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.mostBytes) chunks.push(chunk);
      else {
        // Rejects at once, before the rest of the body arrives.
        reject(new NoAnswer(`The body has more than ${limits.mostBytes} bytes.`));
        request.destroy();
      }
    });
    response.on("error", (error) => {
      clearTimeout(timer);
      reject(error instanceof NoAnswer ? error : new NoAnswer("The connection broke within the body."));
    });
    response.on("end", () => {
      clearTimeout(timer);
      const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? "";
      const took = performance.now() - started;
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text, took });
    });
  });
  request.end(sent.body);
  return promise;
}

function headersOf(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(", ");
  return headers;
}

function settled(): {
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
} {
  let resolve: (answer: Answer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Answer>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
