/** What `@hono/node-server` hands on beside a request; other hosts hand on something else. */
interface Bindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } };
}

/** The address of the client, where the request came to Node's server. */
export function addressIn(given: unknown): string | undefined {
  const address = (given as Bindings | null | undefined)?.incoming?.socket?.remoteAddress;
  return typeof address === "string" ? address : undefined;
}
