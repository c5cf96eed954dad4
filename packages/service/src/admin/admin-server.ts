import http from "node:http";
import type { Clock } from "../platform/clock.js";
import type { Store } from "../store/store.js";
import { askStore, readinessOf } from "./health.js";
import type { Metrics } from "./metrics.js";

export interface AdminContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
}

/** Serves `/livez`, `/readyz` and `/metrics` for operators. */
export function adminServer(context: AdminContext): http.Server {
  return http.createServer((request, response) => {
    respond(request, context).then(
      ({ status, type, body }) => {
        const headers = { "Content-Type": type, "Cache-Control": "no-store" };
        response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body);
      },
      () => response.writeHead(500).end(),
    );
    // No request has a body that anything reads.
    request.resume();
  });
}

interface AdminResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function respond({ method, url = "" }: http.IncomingMessage, context: AdminContext): Promise<AdminResponse> {
  if (method !== "GET" && method !== "HEAD") return json(405, { error: "Send GET or HEAD" });
  const [path = ""] = url.split("?", 1);
  if (path === "/livez") return json(200, { status: "live" });
  if (path !== "/readyz" && path !== "/metrics")
    return json(404, { error: "The paths are /livez, /readyz and /metrics" });
  const { store, clock, metrics, isDraining } = context;
  const state = await askStore(store, clock);
  if (path === "/metrics") {
    const body = await metrics.text(state, store.connections?.());
    return { status: 200, type: metrics.contentType, body };
  }
  const checks = readinessOf(state, { clock, isDraining: isDraining() });
  const isReady = Object.values(checks).every((each) => each === "ok");
  return json(isReady ? 200 : 503, { status: isReady ? "ready" : "not ready", checks });
}

function json(status: number, value: object): AdminResponse {
  return { status, type: "application/json", body: `${JSON.stringify(value)}\n` };
}
