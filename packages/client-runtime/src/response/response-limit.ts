import type { Fetch } from "../operation.js";

/** Options of `withResponseLimit`. */
export interface ResponseLimitOptions {
  /** Maximum size of a response body in bytes, counted after decompression. */
  readonly maxBytes: number;
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

/**
 * Creates a `fetch` that limits the size of response bodies, whatever their headers say.
 * It stops reading at the limit, so endless or highly compressed bodies cost no memory. The call fails with code `network` and a `cause`.
 *
 * @example
 * const client = createClient({ token, fetch: withResponseLimit({ bytes: 10_000_000 }) });
 */
export function withResponseLimit({ maxBytes, fetch: sendRequest }: ResponseLimitOptions): Fetch {
  const send: Fetch = sendRequest ?? ((url, init) => fetch(url, init));
  return async (url, init) => {
    const response = await send(url, init);
    const { body, status, statusText, headers } = response;
    if (!body) return response;
    let byteCount = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        byteCount += chunk.byteLength;
        if (byteCount > maxBytes) controller.error(new RangeError(`the response has more than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    // Servers can send a status above 599, but `Response` rejects it. So its status is replaced afterwards.
    const isOdd = status > 599;
    const limited = new Response(body.pipeThrough(counting), { status: isOdd ? 599 : status, statusText, headers });
    return isOdd ? Object.defineProperty(limited, "status", { value: status }) : limited;
  };
}
