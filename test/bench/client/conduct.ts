import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Node } from "../peers.js";
import { bundled } from "./bundle.js";
import { baseUrl, generateClients, type Consumer } from "./consumers.js";

/** The behavior of clients with features that smaller ones lack: an escaped path value, arrays and objects in the query, an error. */
export interface Conduct {
  readonly name: string;
  /** What the server got: for a path value to escape, and for arrays and an object in the query. */
  readonly targets: readonly [path: string, query: string];
  /** The parameters that do not arrive as passed. */
  readonly mistaken: readonly string[];
  readonly failure: "thrown" | "given back as an error" | "given back like a success";
}

const description = {
  openapi: "3.0.3",
  info: { title: "Probe", version: "1.0.0", license: { name: "MIT", url: "https://opensource.org/license/mit" } },
  servers: [{ url: baseUrl }],
  security: [],
  paths: {
    "/items/{id}": {
      get: {
        operationId: "getItem",
        tags: ["items"],
        summary: "Get an item",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "ids", in: "query", explode: false, schema: { type: "array", items: { type: "integer" } } },
          {
            name: "where",
            in: "query",
            style: "deepObject",
            explode: true,
            schema: { type: "object", properties: { min: { type: "integer" } } },
          },
        ],
        responses: {
          "200": {
            description: "It.",
            content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" } } } } },
          },
          "404": {
            description: "There is none.",
            content: { "application/json": { schema: { type: "object", properties: { reason: { type: "string" } } } } },
          },
        },
      },
    },
  },
};

type Call = (id: string, tags?: readonly string[], ids?: readonly number[], where?: object) => Promise<unknown>;

/** Calls a real server with each client, and checks the requests and the results. */
export async function conductOf(
  consumers: readonly Consumer[],
  { node, folder }: { readonly node: Node; readonly folder: string },
): Promise<readonly Conduct[]> {
  const probe = path.join(folder, "probe");
  await mkdir(probe);
  const file = path.join(probe, "probe.json");
  await writeFile(file, JSON.stringify(description));
  await generateClients(probe, { node, description: file, forOrval: file });
  const operation = { name: "getItem", template: "/items/{id}", parameters: ["id"], values: {}, takesQuery: true };
  const query = { tags: "tags", ids: "ids", where: "where" };
  const parameters = "id: string, tags?: string[], ids?: number[], where?: object";
  const entry = { operation, given: { path: { id: "id" }, query }, parameters, from: "./probe" };

  const targets: string[] = [];
  const server = createServer((request, response) => {
    targets.push(request.url ?? "");
    response.writeHead(404, { "content-type": "application/json" }).end('{"reason":"gone"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
  const real = globalThis.fetch;
  // Every client uses the address of the description, or none: the calls are redirected here unchanged.
  globalThis.fetch = (input, init) =>
    input instanceof Request ? real(moved(input, local), input) : real(moved({ url: String(input) }, local), init);
  try {
    const found: Conduct[] = [];
    for (const consumer of consumers) {
      const bundle = await bundled(consumer, entry, { folder, minify: "readable" });
      const { call } = (await import(pathToFileURL(bundle).href)) as { readonly call: Call };
      const failure = await call("a/b?c").then(
        (value) => (hasError(value) ? "given back as an error" : "given back like a success"),
        () => "thrown" as const,
      );
      await call("5", ["x", "y&z"], [1, 2], { min: 3 }).catch(() => "It is the same failure.");
      const [first = "", second = ""] = targets.splice(0);
      found.push({ name: consumer.name, targets: [first, second], mistaken: mistakenIn(first, second), failure });
    }
    return found;
  } finally {
    globalThis.fetch = real;
    server.closeAllConnections();
    server.close();
  }
}

/** The parameters whose values a server does not find after parsing the targets as the description says. */
export function mistakenIn(first: string, second: string): readonly string[] {
  const { pathname } = new URL(first, "http://localhost");
  const { searchParams } = new URL(second, "http://localhost");
  const arrived: Readonly<Record<string, boolean>> = {
    id: pathname.split("/").map(decodeURIComponent).join("|") === "|v4|items|a/b?c",
    tags: searchParams.getAll("tags").join("|") === "x|y&z",
    ids: searchParams.getAll("ids").join("|") === "1,2",
    where: searchParams.get("where[min]") === "3",
  };
  return Object.keys(arrived).filter((name) => arrived[name] !== true);
}

function moved({ url }: { readonly url: string }, local: string): string {
  return local + (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url);
}

function hasError(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && value.error !== undefined;
}
