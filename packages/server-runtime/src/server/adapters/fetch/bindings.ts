import type { NodePair } from "../node/node-exchange.js";

/** What `@hono/node-server` passes along with a request. Other runtimes pass other objects. */
interface Bindings {
  readonly incoming?: Partial<NodePair["request"]>;
  readonly outgoing?: Partial<NodePair["response"]>;
}

/** The address of the client, if the request came to a Node server. */
export function addressIn(host: unknown): string | undefined {
  const address: unknown = (host as Bindings | null | undefined)?.incoming?.socket?.remoteAddress;
  return typeof address === "string" ? address : undefined;
}

/** The Node request from which a web request was created, and its response. */
export function nodePairIn(host: unknown): NodePair | undefined {
  const { incoming, outgoing } = (host ?? {}) as Bindings;
  const isPair = Array.isArray(incoming?.rawHeaders) && typeof incoming.socket?.on === "function" && outgoing?.on;
  return isPair ? ({ request: incoming, response: outgoing } as NodePair) : undefined;
}
