import type { NodePair } from "./node-pair.js";

/** What `@hono/node-server` hands on beside a request; other hosts hand on something else. */
interface Bindings {
  readonly incoming?: Partial<NodePair["request"]>;
  readonly outgoing?: Partial<NodePair["response"]>;
}

/** The address of the client, where the request came to Node's server. */
export function addressIn(given: unknown): string | undefined {
  const address: unknown = (given as Bindings | null | undefined)?.incoming?.socket?.remoteAddress;
  return typeof address === "string" ? address : undefined;
}

/** The request of Node's server that a web request was made of, and its response. */
export function nodePairIn(given: unknown): NodePair | undefined {
  const { incoming, outgoing } = (given ?? {}) as Bindings;
  const isPair = Array.isArray(incoming?.rawHeaders) && typeof incoming.socket?.on === "function" && outgoing?.on;
  return isPair ? ({ request: incoming, response: outgoing } as NodePair) : undefined;
}
