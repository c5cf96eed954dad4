import {
  apiKeyAuth,
  basicAuth,
  createBaseClient,
  rateLimit,
  withResponseLimit,
  withRetry,
  type Authorize,
  type Client,
  type Fetch,
} from "@plumbline/client-runtime";
import type { Toolset } from "../toolset.js";

/** How to call the API. */
export interface ApiOptions {
  /**
   * The URL of the API, with its base path.
   *
   * @defaultValue the first server of the description
   */
  readonly url?: string | undefined;
  /** The token of the API: a bearer token, an API key, or `user:password`, as the description requires. */
  readonly token?: string | undefined;
  /**
   * Milliseconds for one call, with the waits for rates and retries.
   *
   * @defaultValue 50,000, less than the 60,000 after which most clients give up
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

/** Maximum bytes of a response. What a model sees is shortened much further. */
const maxResponseBytes = 20_000_000;

/** Creates the client of the API: it sends the token, keeps to the documented rates, and retries as the server asks. */
export function createApiClient(toolset: Toolset, { url, token, timeoutMs = 50_000, fetch: send }: ApiOptions): Client {
  const limited = withResponseLimit({ maxBytes: maxResponseBytes, fetch: send });
  return createBaseClient(
    {
      baseUrl: url,
      timeout: timeoutMs,
      headers: { "user-agent": `${toolset.command}/${toolset.version.replaceAll(/[^\w.+-]/g, "-")}` },
      fetch: withRetry({ maxElapsedMs: timeoutMs, fetch: rateLimit(toolset.rates, { fetch: limited }) }),
      ...(token === undefined ? {} : credentialOptions(toolset, token)),
    },
    toolset.url,
  );
}

function credentialOptions(
  { credential = { kind: "bearer" } }: Toolset,
  token: string,
): { readonly token: string } | { readonly authorize: Authorize } {
  if (credential.kind === "apiKey")
    return { authorize: apiKeyAuth({ in: credential.in, name: credential.name }, token) };
  if (credential.kind === "bearer") return { token };
  const [user = "", ...password] = token.split(":");
  return { authorize: basicAuth(user, password.join(":")) };
}
