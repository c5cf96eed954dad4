import type { HttpClient } from "../http/http-client.js";
import type { RunOptions } from "../results.js";
import { formatError } from "../values/format-error.js";

/**
 * Sends one request. Any response will do: it only stops a run that would reach no server.
 *
 * @returns Milliseconds of a request.
 */
export async function requireReachable(
  client: HttpClient,
  { url, controls }: Pick<RunOptions, "url" | "controls">,
): Promise<number> {
  let requestMs = minRequestMs;
  for (const [address, option] of [
    [url, "--url"],
    [controls, "--controls"],
  ] as const) {
    if (address === undefined) continue;
    try {
      const { durationMs } = await client.send({ method: "GET", url: address, headers: {} });
      if (address === url) requestMs = Math.max(requestMs, durationMs);
    } catch (error) {
      const reason = formatError(error);
      throw new Error(`No response from ${address}: ${reason} Start the server, or pass its address with ${option}.`, {
        cause: error,
      });
    }
  }
  return requestMs;
}

/** An optimistic figure for a request; slower servers are measured. */
const minRequestMs = 10;
