import { call, connect, safe, type ApiError, type Client, type Pending } from "./index.js";

// A generator writes:
interface Instance {
  readonly id: number;
  readonly label: string;
}

function getInstance(
  client: Client,
  request: { readonly path: { readonly computeId: number } },
): Pending<Instance, ApiError<404, { readonly reason: string }>> {
  return call(client, { method: "GET", path: "/compute/instances/{computeId}" }, request);
}

// You write:
export async function labelOf(computeId: number, baseUrl: string): Promise<string> {
  const client = connect({ baseUrl, token: async () => "secret", timeout: 10_000 });
  const result = await safe(getInstance(client, { path: { computeId } }));
  if (result.ok) return result.data.label;
  if (result.error.status === 404) return `none: ${result.error.body.reason}`;
  throw result.error;
}
