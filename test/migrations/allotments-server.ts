import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A server of allotments.yaml, with what it has received. */
export interface AllotmentsServer {
  /** With the path of the API. */
  readonly url: string;
  /** Each request, with the headers that applications set: `GET /v1/plots?free=true authorization=…`. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

interface Plot {
  readonly id: number;
  readonly name: string;
  readonly soil: string;
  readonly version: string;
  readonly tenant?: string | null;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

const token = "Bearer spade";
const namedHeaders = ["authorization", "x-trace", "if-match", "x-app"];
const missing: Answer = { status: 404, body: { reason: "There is no such plot." } };

/** Starts a server with two plots, on any free port of this machine. */
export async function startAllotmentsServer(): Promise<AllotmentsServer> {
  const requests: string[] = [];
  const answer = createAllotments();
  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const named = namedHeaders.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [`${name}=${String(value)}`];
      });
      const sent = body === undefined ? [] : [JSON.stringify(body)];
      requests.push([request.method, request.url, ...named, ...sent].join(" "));
      const { status, body: content, headers } = answer(request, body);
      response.writeHead(status, { "content-type": "application/json", "x-server": "shed", ...headers });
      response.end(content === undefined ? undefined : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/v1`, requests, close };
}

async function read(request: IncomingMessage): Promise<Fields | undefined> {
  return request.headers["content-type"]?.includes("json") === true ? ((await json(request)) as Fields) : undefined;
}

function createAllotments(): (request: IncomingMessage, body: Fields | undefined) => Answer {
  const plots = new Map<number, Plot>([
    [1, { id: 1, name: "North", soil: "clay", version: "a1", tenant: "Ada" }],
    [2, { id: 2, name: "South", soil: "sand", version: "b1" }],
  ]);
  const harvests = new Map<number, Fields[]>([[1, [{ crop: "Beans", kilograms: 3, day: "2026-07-01" }]]]);
  return ({ method, url = "", headers }, body = {}) => {
    if (headers.authorization !== token) return { status: 401, body: { reason: "The token is unknown." } };
    const { pathname, searchParams: query } = new URL(url, "http://allotments.example");
    const [, , , id, nested] = pathname.split("/");
    const plot = plots.get(Number(id));
    if (id === undefined) {
      if (method === "POST") return createPlot(plots, body);
      const soils = query.getAll("soil");
      const found = [...plots.values()].filter(
        (each) =>
          (query.get("free") !== "true" || (each.tenant ?? null) === null) &&
          (soils.length === 0 || soils.includes(each.soil)),
      );
      return { status: 200, body: found };
    }
    if (plot === undefined) return missing;
    if (nested === "harvests") {
      const known = harvests.get(plot.id) ?? [];
      if (method === "POST") {
        harvests.set(plot.id, [...known, body]);
        return { status: 201, body };
      }
      const items = known.filter(({ day }) => String(day) >= (query.get("since") ?? ""));
      const page = query.get("page");
      const shown = page === null ? items : items.slice(Number(page) * 2 - 2, Number(page) * 2);
      return { status: 200, body: { items: shown, total: items.length } };
    }
    if (method === "DELETE") return plots.delete(plot.id) ? { status: 204 } : missing;
    if (method !== "PATCH") return { status: 200, body: plot };
    if (headers["if-match"] !== plot.version) return { status: 412, body: { reason: "The plot has changed." } };
    const changed = { ...plot, ...body };
    if (query.get("dry") !== "true") plots.set(plot.id, changed);
    return { status: 200, body: changed };
  };
}

function createPlot(plots: Map<number, Plot>, { name, soil }: Fields): Answer {
  if (name === "") return { status: 422, body: { reason: "A plot has a name.", field: "name" } };
  const id = Math.max(...plots.keys()) + 1;
  const plot = { id, name: String(name), soil: String(soil), version: `v${id}` };
  plots.set(id, plot);
  return { status: 201, body: plot, headers: { location: `/v1/plots/${id}` } };
}
