import { rawOnce } from "./bodies.js";
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
  const pieces = isWhole ? undefined : counted(body, (sent) => onProgress?.({ sent, total }));
  const operation: Operation = { method, path: "", write: [rawOnce(mediaType)], ...(reply && { reply }) };
  const sent = call<T, E>(
    connect({
      baseUrl: address?.origin,
      fetch: client.options().fetch,
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
    { body: pieces ? pieces.stream : body },
  );
  // Node reads what it does not send any more to its end, which may never come.
  return pieces ? sent.catch(pieces.explain).finally(pieces.leave) : sent;
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

/** Bytes on their way. */
interface Pieces {
  readonly stream: ReadableStream<Uint8Array>;
  /** Ends the source, whatever it waits for. */
  readonly leave: () => void;
  /** Throws why the source or `tell` failed, where that is why nothing arrived; else this failure. */
  readonly explain: (failure: unknown) => never;
}

/** The same bytes as a stream that tells how many are on their way. */
function counted(body: UploadBody, tell: (sent: number) => void): Pieces {
  let sent = 0;
  let isLeft = false;
  let broken: { readonly reason: unknown } | undefined;
  const chunks = chunksOf(body);
  const end = async (): Promise<void> => {
    isLeft = true;
    await chunks.return?.();
  };
  // Waits for nothing: a source that hangs may never say that it has been left.
  const leave = (): void => void end().catch(() => {});
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (isLeft || done) return controller.close();
          tell((sent += value.byteLength));
          controller.enqueue(value);
        } catch (reason) {
          broken ??= { reason };
          leave();
          throw reason;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  const explain = (failure: unknown): never => {
    throw broken && (failure as ApiError).code === "network" ? broken.reason : failure;
  };
  return { stream, leave, explain };
}

function chunksOf(body: UploadBody): AsyncIterator<Uint8Array, unknown> {
  if (!(body instanceof ReadableStream) && isStreamed(body))
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const stream = body instanceof ReadableStream ? body : (body instanceof Blob ? body : new Blob([body])).stream();
  // Not iterated over, which is not possible everywhere; and a stream that is locked fails the upload, not its caller.
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return {
    next: () => (reader ??= stream.getReader()).read(),
    return: async () => ({ done: true, value: await (reader ?? stream).cancel() }),
  };
}
