/**
 * A small real server for the client to talk to: instances that live in memory, images with ids of two segments, regions for
 * everybody, and errors of servers and proxies. Written by hand against the documents, not generated.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Cloud {
  /** Ends in `/v4`. */
  readonly url: string;
  readonly token: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly Seen[];
  readonly close: () => Promise<void>;
}

export interface Seen {
  readonly method: string;
  /** As sent, escapes and all. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of JSON. */
  readonly text?: string;
}

interface StoredInstance {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly status: string;
}

const token = "a-token-of-the-test-cloud-0123456789abcdef";

export async function startCloud(): Promise<Cloud> {
  const requests: Seen[] = [];
  const instances = new Map<number, StoredInstance>();
  let count = 0;

  const handle = (seen: Seen): Answer => {
    const { pathname, searchParams } = new URL(seen.target, "http://127.0.0.1");
    const path = pathname.replace(/^\/v4/, "");
    const route = `${seen.method} ${path}`;
    if (route === "GET /regions")
      return page([{ id: "us-east", country: "us", capabilities: [], status: "ok" }], searchParams);
    if (seen.headers.authorization !== `Bearer ${token}`) return failure(401, [{ reason: "Invalid Token" }]);
    if (route === "GET /profile/grants") return { status: 204 };
    if (route === "GET /tags")
      return { status: 502, text: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } };
    if (route === "GET /kube/versions")
      return { status: 200, text: "not json at all", headers: { "content-type": "application/json" } };
    if (route === "GET /domains") return failure(429, [{ reason: "Too many requests" }], { "retry-after": "30" });
    const image = /^\/images\/(.+)$/.exec(path);
    if (image !== null) return { status: 200, body: { id: decodeURIComponent(image[1] ?? ""), label: "Debian 12" } };
    if (route === "GET /compute/instances") return page([...instances.values()], searchParams);
    if (route === "POST /compute/instances") {
      const wanted = JSON.parse(seen.body) as Partial<StoredInstance>;
      const missing = (["region", "type"] as const).filter((field) => wanted[field] === undefined);
      if (missing.length > 0)
        return failure(
          400,
          missing.map((field) => ({ field, reason: `${field} is required` })),
        );
      count += 1;
      const made = {
        tags: [],
        label: `compute${count}`,
        region: "",
        type: "",
        ...wanted,
        id: count,
        status: "provisioning",
      };
      instances.set(count, made);
      return { status: 200, body: made };
    }
    const id = Number(/^\/compute\/instances\/(\d+)$/.exec(path)?.[1]);
    const stored = instances.get(id);
    if (stored === undefined) return failure(404, [{ reason: "Not found" }]);
    if (seen.method === "DELETE") instances.delete(id);
    if (seen.method === "PUT") instances.set(id, { ...stored, ...(JSON.parse(seen.body) as Partial<StoredInstance>) });
    return { status: 200, body: seen.method === "DELETE" ? {} : instances.get(id) };
  };

  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const seen = { method: request.method ?? "", target: request.url ?? "", headers: request.headers, body };
      requests.push(seen);
      if (seen.target.includes("/profile/logins")) return; // answers never: for time limits
      send(response, handle(seen), requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v4`,
    token,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

function page(items: readonly unknown[], query: URLSearchParams): Answer {
  const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 100)];
  if (size < 25 || size > 500) return failure(400, [{ field: "page_size", reason: "Must be 25-500" }]);
  const data = items.slice((number - 1) * size, number * size);
  return {
    status: 200,
    body: { data, page: number, pages: Math.max(1, Math.ceil(items.length / size)), results: items.length },
  };
}

function failure(status: number, errors: readonly object[], headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { errors }, headers };
}

function send(response: ServerResponse, { status, body, headers, text }: Answer, count: number): void {
  response.writeHead(status, {
    "x-request-id": `request-${count}`,
    ...(status === 204 ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  response.end(status === 204 ? undefined : (text ?? JSON.stringify(body)));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
