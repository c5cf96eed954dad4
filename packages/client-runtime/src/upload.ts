import { raw } from "./bodies.js";
import { call, type Pending } from "./call.js";
import { connect, type Client } from "./client.js";
import type { ApiError } from "./errors.js";
import type { Operation } from "./operation.js";

/** What can be uploaded. */
export type UploadBody =
  | Blob
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes that were handed over to be sent. */
  readonly sent: number;
  /** Bytes in all, where that is known. */
  readonly total: number | undefined;
}

/** Options of one upload. The client's `timeout`, `headers`, hooks and credentials are for its API, and not for this address. */
export interface UploadOptions {
  /** Bytes of a stream, where they are known: sent as `Content-Length`. More or fewer of them fail the upload. */
  readonly size?: number | undefined;
  /** Told after each piece. Where a platform cannot send streams, uploads with it fail. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Milliseconds for the whole upload. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An operation whose address is told by a reply. */
export interface LinkedOperation extends Pick<Operation, "method" | "reply"> {
  readonly mediaType: string;
}

/**
 * Sends data to an address that a reply named, without credentials and without following redirects. The address is
 * taken for a secret: failures show its origin alone.
 *
 * @example
 * await upload(client, { method: "PUT", mediaType: "application/octet-stream" }, { to: made.upload_to, body: file });
 */
export function upload<T, E = ApiError>(
  client: Client,
  { method, mediaType, reply }: LinkedOperation,
  { to, body }: { readonly to: string; readonly body: UploadBody },
  { onProgress, signal, size, timeout }: UploadOptions = {},
): Pending<T, E> {
  const total = size ?? sizeOf(body);
  const isWhole = !onProgress && !isStreamed(body);
  const address = addressOf(to, client);
  let stopped: AbortSignal | null | undefined;
  const tell = (sent: number): void => {
    // Node reads what it does not send any more to its end, which may never come.
    stopped?.throwIfAborted();
    onProgress?.({ sent, total });
  };
  const operation: Operation = { method, path: "", write: [raw(mediaType)], ...(reply && { reply }) };
  return call<T, E>(
    connect({
      baseUrl: address?.origin,
      fetch(url, init) {
        stopped = init.signal;
        return (client.options().fetch ?? fetch)(url, init);
      },
      signal,
      timeout,
      headers: { "content-length": total === undefined || isWhole ? undefined : String(total) },
      // Where credentials are added: what is added there, no failure shows.
      authorize(request) {
        if (address) request.url = address.href;
        request.redirect = "error";
      },
    }),
    operation,
    { body: isWhole ? body : counted(body, tell) },
  );
}

/** In full; undefined for what is no address, or has a user or a password. */
function addressOf(to: string, client: Client): URL | undefined {
  try {
    const address = new URL(to, client.base());
    return address.username || address.password ? undefined : address;
  } catch {
    return undefined;
  }
}

function sizeOf(body: UploadBody): number | undefined {
  if (body instanceof Blob) return body.size;
  return isStreamed(body) ? undefined : body.byteLength;
}

function isStreamed(body: UploadBody): body is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> {
  return body instanceof ReadableStream || Symbol.asyncIterator in body;
}

/** The same bytes as a stream that tells how many are on their way, and ends where `tell` throws. */
function counted(body: UploadBody, tell: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  const chunks = chunksOf(body);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        try {
          tell((sent += value.byteLength));
        } catch (reason) {
          await chunks.return?.();
          throw reason;
        }
        controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function chunksOf(body: UploadBody): AsyncIterator<Uint8Array> {
  if (body instanceof ReadableStream) return chunksOfStream(body);
  if (isStreamed(body)) return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return chunksOfStream((body instanceof Blob ? body : new Blob([body])).stream());
}

// Streams cannot be iterated over everywhere.
async function* chunksOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Of no effect on a stream that has ended.
    await reader.cancel();
  }
}
