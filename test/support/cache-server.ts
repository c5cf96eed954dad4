import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A remote cache for turbo on this machine, of one team with one token, which keeps everything in memory. */
export interface CacheServer {
  readonly url: string;
  readonly token: string;
  /** Every request about an artifact, oldest first: method, path without its query, status. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

interface Artifact {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const artifacts = /^\/v8\/artifacts\/(?<hash>[0-9a-f]+)$/;

export async function startCacheServer(token: string): Promise<CacheServer> {
  const kept = new Map<string, Artifact>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://cache");
    response.once("finish", () => {
      if (artifacts.test(pathname)) requests.push(`${request.method} ${pathname} ${response.statusCode}`);
    });
    const isOurs = request.headers.authorization === `Bearer ${token}`;
    const answered = isOurs ? answer(kept, { request, response, pathname }) : reply(response, 403, refusal);
    Promise.resolve(answered).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const refusal = { code: "forbidden", message: "This token opens nothing." };

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
}

async function answer(kept: Map<string, Artifact>, { request, response, pathname }: Exchange): Promise<void> {
  const hash = artifacts.exec(pathname)?.groups?.["hash"];
  if (hash === undefined) {
    if (pathname === "/v8/artifacts/status") return reply(response, 200, { status: "enabled" });
    const { hashes = [] } = JSON.parse((await buffer(request)).toString("utf8") || "{}") as {
      readonly hashes?: readonly string[];
    };
    const known = hashes.map((each) => [each, kept.has(each) ? { size: kept.get(each)?.bytes.length } : null]);
    return reply(response, 200, pathname === "/v8/artifacts" ? Object.fromEntries(known) : {});
  }
  if (request.method === "PUT") {
    const sent = ["x-artifact-duration", "x-artifact-tag"].map((name) => [name, request.headers[name]]);
    const headers = Object.fromEntries(sent.filter((each): each is [string, string] => typeof each[1] === "string"));
    kept.set(hash, { bytes: await buffer(request), headers });
    return reply(response, 202, { urls: [] });
  }
  const found = kept.get(hash);
  if (found === undefined) return reply(response, 404, { code: "not_found", message: "There is none." });
  response.writeHead(200, { ...found.headers, "content-length": found.bytes.length });
  response.end(request.method === "HEAD" ? undefined : found.bytes);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
