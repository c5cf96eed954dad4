import { createBaseClient, defineOperation, toResult, type ApiError, type Client, type ApiPromise } from "./index.js";

// A generator writes:
interface Instance {
  readonly id: number;
  readonly label: string;
}

const getInstance: (
  client: Client,
  request: { readonly path: { readonly computeId: number } },
) => ApiPromise<Instance, ApiError<404, { readonly reason: string }>> = /* @__PURE__ */ defineOperation(
  "GET",
  "/compute/instances/{computeId}",
);

// You write:
export async function labelOf(computeId: number, baseUrl: string): Promise<string> {
  const client = createBaseClient({ baseUrl, token: async () => "secret", timeout: 10_000 });
  const result = await toResult(getInstance(client, { path: { computeId } }));
  if (result.ok) return result.data.label;
  if (result.error.status === 404) return `none: ${result.error.body.reason}`;
  throw result.error;
}
