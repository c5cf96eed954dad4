import type { ApiPromise } from "./api-promise.js";
import { createBaseClient, type Client } from "./client.js";
import { defineOperation } from "./define-operation.js";
import type { ApiError } from "./errors.js";
import type { Operation, RequestArguments } from "./operation.js";
import { rawBodyOnce } from "./request/bodies.js";

/** Data that can be uploaded. */
export type UploadBody =
  | Blob
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes passed to the network so far. */
  readonly sent: number;
  /** Total number of bytes, if known. */
  readonly total: number | undefined;
}

/** Options of one upload. The client's `timeout`, `headers`, hooks and credentials do not apply: they belong to its API, not to this URL. */
export interface UploadOptions {
  /** Bytes of a stream, sent as `Content-Length`. The upload fails if the stream has more or fewer. */
  readonly size?: number | undefined;
  /** Called after each chunk. Uploads with it fail on platforms that cannot send streams. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Milliseconds for the complete upload. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An operation whose URL is in a response. */
export interface UploadOperation extends Pick<Operation, "method" | "accept" | "decoder"> {
  readonly mediaType: string;
}

/**
 * Uploads data to a URL from a response, without credentials and without following redirects.
 * The URL counts as a secret: errors have only its origin.
 *
 * @example
 * await upload(client, { method: "PUT", mediaType: "application/octet-stream" }, { to: made.upload_to, body: file });
 */
export function upload<T, E = ApiError>(
  client: Client,
  { method, mediaType, ...more }: UploadOperation,
  { to, body }: { readonly to: string; readonly body: UploadBody },
  { onProgress, signal, size, timeout }: UploadOptions = {},
): ApiPromise<T, E> {
  const total = size ?? sizeOf(body);
  const isWhole = !onProgress && !isStreamed(body);
  const address = addressOf(to, client);
  const pieces = isWhole ? undefined : countBytes(body, (sent) => onProgress?.({ sent, total }));
  const send: (client: Client, request: RequestArguments) => ApiPromise<T, E> = defineOperation(
    method,
    "",
    [rawBodyOnce(mediaType)],
    more,
  );
  const sent = send(
    createBaseClient({
      baseUrl: address?.origin,
      fetch: client.options().fetch,
      signal,
      timeout,
      headers: { "content-length": total === undefined || isWhole ? undefined : String(total) },
      // The hook for credentials: errors do not have what it adds to the URL.
      authorize(request) {
        if (address) request.url = address.href;
        request.redirect = "error";
      },
    }),
    { body: pieces ? pieces.stream : body },
  );
  // Node reads a body to its end even if it does not send it any more, and the end may never come.
  return pieces ? sent.catch(pieces.rethrow).finally(pieces.cancel) : sent;
}

/** The complete URL. Undefined if it is not valid, or has a user name or password. */
function addressOf(to: string, client: Client): URL | undefined {
  try {
    const address = new URL(to, client.baseUrl());
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

/** The bytes of an upload in progress. */
interface UploadStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** Ends the source, whatever it waits for. */
  readonly cancel: () => void;
  /** Throws the error of the source or of `tell` if it is why the request failed, else the error of the request. */
  readonly rethrow: (failure: unknown) => never;
}

/** Streams the bytes, and reports how many were passed to the network. */
function countBytes(body: UploadBody, report: (sent: number) => void): UploadStream {
  let sent = 0;
  let isLeft = false;
  let broken: { readonly reason: unknown } | undefined;
  const chunks = chunksOf(body);
  const end = async (): Promise<void> => {
    isLeft = true;
    await chunks.return?.();
  };
  // Does not wait: a source that hangs may never end.
  const leave = (): void => void end().catch(() => {});
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (isLeft || done) return controller.close();
          report((sent += value.byteLength));
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
  return { stream, cancel: leave, rethrow: explain };
}

function chunksOf(body: UploadBody): AsyncIterator<Uint8Array, unknown> {
  if (!(body instanceof ReadableStream) && isStreamed(body))
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const stream = body instanceof ReadableStream ? body : (body instanceof Blob ? body : new Blob([body])).stream();
  // Not by iteration, which not every platform has. A locked stream fails the upload asynchronously.
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return {
    next: () => (reader ??= stream.getReader()).read(),
    return: async () => ({ done: true, value: await (reader ?? stream).cancel() }),
  };
}
