import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Api, Operation } from "@plumbline/kit/model";
import { exchangeRequest, forwardedHeaders, type Proxy, type ProxyRequest, type ProxyResponse } from "../proxy.js";
import { createMemory, pathOf } from "./memory.js";
import { jsonOf } from "./messages.js";
import type { Call, Violation } from "./mutant.js";

/** A proxy in front of a server that does as described. It shows one violation at a time. */
export interface MutantProxy extends Proxy {
  /** Starts another violation, or none. */
  readonly show: (violation: Violation | undefined) => void;
  /** Ends the violation. */
  readonly stop: () => void;
  /** The number of requests and responses that the violation has changed. */
  readonly changes: () => number;
}

export async function startMutantProxy(url: string, api: Api): Promise<MutantProxy> {
  const { host, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, "");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const find = operationFinder(api.operations);
  const memory = createMemory(api);
  let shown: Violation = {};
  let changes = 0;
  const send = async (request: ProxyRequest): Promise<ProxyResponse> => {
    const answer = await exchangeRequest(request, { host, base, agent });
    const call = callOf(request, find);
    if (call !== undefined) memory.record(answer, call);
    return answer;
  };
  const respond = async (request: ProxyRequest): Promise<ProxyResponse> => {
    const call = callOf(request, find);
    const violation = shown;
    if (call === undefined) return exchangeRequest(request, { host, base, agent });
    const proxy = { api, memory, send };
    const first = (await violation.onRequest?.(call, proxy)) ?? request;
    if (first !== request) changes += 1;
    if ("status" in first) return first;
    const answer = await exchangeRequest(first, { host, base, agent });
    const changed = (await violation.onResponse?.(answer, call, proxy)) ?? answer;
    memory.record(answer, call);
    if (changed !== answer) changes += 1;
    return changed;
  };
  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url: target = "/" } = incoming;
      const raw = await buffer(incoming);
      const own = target.startsWith(base) ? target.slice(base.length) : target;
      const headers = forwardedHeaders(incoming.headers);
      const answer = await respond({ method, target: own, headers, body: raw.toString("utf8") });
      outgoing.writeHead(answer.status, answer.headers);
      outgoing.end(method === "HEAD" || answer.status === 204 ? undefined : answer.body);
    })().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    show: (violation) => {
      shown = violation ?? {};
      changes = 0;
    },
    stop: () => {
      shown = {};
    },
    changes: () => changes,
    close: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close").catch(() => undefined);
    },
  };
}

type OperationFinder = (
  method: string,
  path: string,
) => { readonly operation: Operation; readonly path: Readonly<Record<string, string>> } | undefined;

/** Finds the operation of a request: the path with the fewest parameters first. */
function operationFinder(operations: readonly Operation[]): OperationFinder {
  const routes = operations
    .map((operation) => ({ operation, ...patternOf(operation) }))
    .toSorted((a, b) => a.names.length - b.names.length);
  return (method, path) => {
    for (const { operation, pattern, names } of routes) {
      if (operation.method !== method) continue;
      const found = pattern.exec(path);
      if (found === null) continue;
      return { operation, path: Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ""])) };
    }
    return undefined;
  };
}

function patternOf({ path, parameters }: Operation): { readonly pattern: RegExp; readonly names: readonly string[] } {
  const parts = path.split(/\{([^}]+)\}/);
  const source = parts
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      const segments = parameters.find((each) => each.in === "path" && each.name === part)?.segments ?? 1;
      return segments > 1 ? `([^/]+(?:/[^/]+){0,${segments - 1}})` : "([^/]+)";
    })
    .join("");
  return { pattern: new RegExp(`^${source}$`), names: parts.filter((_, index) => index % 2 === 1) };
}

function callOf(request: ProxyRequest, find: OperationFinder): Call | undefined {
  const found = find(request.method, pathOf(request.target));
  if (found === undefined) return undefined;
  const body = jsonOf(request);
  return { ...found, request, ...(body === undefined ? {} : { body }) };
}
