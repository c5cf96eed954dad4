import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { WireChange } from "./fault.js";
import { matcherOf, type Route } from "./routes.js";

/** A request in the proxy. */
export interface ProxyRequest {
  readonly method: string;
  /** Path and query, without the base path of the API. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProxyResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy that changes the requests and responses of one operation. */
export async function startProxy(
  url: string,
  { route, wire }: { readonly route: Route; readonly wire: WireChange },
): Promise<Proxy> {
  const { host, pathname: base } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const isPath = matcherOf(route);
  const isMeant = (method: string, target: string): boolean =>
    (wire.anyMethod === true || method === route.method) && isPath(target.split("?")[0] ?? "");
  const seen: { last: string | undefined; of: Map<string, string> } = { last: undefined, of: new Map() };
  const ask = (asked: ProxyRequest): Promise<ProxyResponse> => exchangeRequest(asked, { host, base, agent });
  const server = http.createServer((request, response) => {
    const { method = "GET", url: target = "/" } = request;
    const { authorization } = request.headers;
    response.on("finish", () => {
      if (authorization === undefined || response.statusCode === 401) return;
      seen.last = authorization;
      seen.of.set(target.split("?")[0] ?? "", authorization);
    });
    const own = target.startsWith(base) ? target.slice(base.length) : undefined;
    if (own === undefined || !isMeant(method, own)) {
      forward(request, response, { host, agent });
      return;
    }
    void (async () => {
      const body = (await buffer(request)).toString("utf8");
      const asked: ProxyRequest = { method, target: own, headers: forwardedHeaders(request.headers), body };
      const first = wire.onRequest?.(asked, { last: seen.last, of: seen.of }) ?? asked;
      const given = "status" in first ? first : await ask(first);
      const answer = (await wire.onResponse?.(given, asked, ask)) ?? given;
      response.writeHead(answer.status, answer.headers);
      response.end(method === "HEAD" ? undefined : answer.body);
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close").catch(() => undefined);
    },
  };
}

/** A copy of a response with another body. */
export function withBody(answer: ProxyResponse, body: unknown): ProxyResponse {
  return { ...answer, body: JSON.stringify(body) };
}

/** Forwards requests of other operations unchanged. */
function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { host, agent }: { readonly host: string; readonly agent: http.Agent },
): void {
  const [hostname, port] = host.split(":");
  const { method, url: path, headers } = request;
  const given = { ...headers, host, connection: "keep-alive" };
  const onward = http.request({ hostname, port, method, path, agent, headers: given }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer.headers));
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}

export async function exchangeRequest(
  { method, target, headers, body }: ProxyRequest,
  { host, base, agent }: { readonly host: string; readonly base: string; readonly agent: http.Agent },
): Promise<ProxyResponse> {
  const [hostname, port] = host.split(":");
  const sent = { ...headers, host };
  const length = Buffer.byteLength(body);
  const withLength = length > 0 || "content-length" in headers ? { ...sent, "content-length": String(length) } : sent;
  const request = http.request({ hostname, port, method, path: base + target, agent, headers: withLength });
  request.end(body);
  const [answer] = (await once(request, "response")) as [http.IncomingMessage];
  const text = (await buffer(answer)).toString("utf8");
  return { status: answer.statusCode ?? 502, headers: forwardedHeaders(answer.headers), body: text };
}

/** Headers except those of the connection, and those that depend on the body. */
export function forwardedHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnections.has(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

const ofConnections = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host", "date"]);
