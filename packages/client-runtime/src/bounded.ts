import type { Fetch } from "./client.js";

/** What `bounded` sends with, and what it lets through. */
export interface BoundedOptions {
  /** So many bytes of a body at most, counted after decompression. */
  readonly bytes: number;
  /** The global `fetch` when nothing is said. */
  readonly fetch?: Fetch | undefined;
}

/**
 * A `fetch` that breaks a reply off once its body has more bytes than this, whatever its headers promised: a body without end, or one that was
 * compressed to look small, costs no more memory. The call fails with code `network`; its `cause` says why.
 *
 * @example
 * const client = createClient({ token, fetch: bounded({ bytes: 10_000_000 }) });
 */
export function bounded({ bytes, fetch: given }: BoundedOptions): Fetch {
  const send: Fetch = given ?? ((url, init) => fetch(url, init));
  return async (url, init) => {
    const response = await send(url, init);
    const { body, status, statusText, headers } = response;
    if (!body) return response;
    let seen = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength;
        if (seen > bytes) controller.error(new RangeError(`the reply has more than ${bytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    // Nobody can make a reply of a status beyond 599, which a server can: it is made of another, and told so.
    const isOdd = status > 599;
    const made = new Response(body.pipeThrough(counting), { status: isOdd ? 599 : status, statusText, headers });
    return isOdd ? Object.defineProperty(made, "status", { value: status }) : made;
  };
}
