import type { ApiError, ApiErrorCode, ApiErrorFacts } from "./errors.js";

/** The context in which a decoder reads a response. */
export interface Reading {
  /** Creates the error for a body that ends early. */
  readonly lost: (cause: unknown) => unknown;
  /** Creates any other error. */
  readonly fail: (code: ApiErrorCode, facts?: Partial<ApiErrorFacts>) => ApiError;
  /** Aborted with the call, with the call's error as its reason. */
  readonly signal: AbortSignal | undefined;
  /** Removes timer and listeners. Runs when the call ends; a decoder that outlives the call replaces it. */
  release: () => void;
}

/** Decodes the body of a 2xx response. Not called for responses without one. Returns undefined for a body that is JSON. */
export type ReplyDecoder = (response: Response, reading: Reading) => object | undefined;

/** Decodes the body as text. Malformed UTF-8 is an error with code `decode`. */
export async function asText(response: Response, reading: Reading): Promise<string> {
  const bytes = await whole(response, reading);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const { status, headers } = response;
    const body = new TextDecoder().decode(bytes).slice(0, 4096);
    throw reading.fail("decode", { text: "response is malformed UTF-8", status, headers, body });
  }
}

/** Decodes the body as a `Blob` of the response's media type. */
export async function asBlob(response: Response, reading: Reading): Promise<Blob> {
  return new Blob([await whole(response, reading)], { type: response.headers.get("content-type") ?? "" });
}

/** Decodes the body as bytes. */
export async function asBytes(response: Response, reading: Reading): Promise<Uint8Array> {
  return new Uint8Array(await whole(response, reading));
}

/** Streams the body. `timeout` and `signal` apply until it ends or is cancelled, and fail the stream with the `ApiError` of the call. */
export function asStream(response: Response, reading: Reading): ReadableStream<Uint8Array> {
  const { lost, release, signal } = reading;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  reading.release = () => {};
  return new ReadableStream(
    {
      start(controller) {
        signal?.addEventListener("abort", () => {
          release();
          controller.error(signal.reason);
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (cause) {
          release();
          throw lost(cause);
        }
      },
      cancel(reason) {
        release();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Decodes the body by status, such as `202` or `2XX`, for operations with several kinds of success. Default: JSON.
 *
 * @example
 * call(client, { method: "POST", path: "/reports", reply: byStatus({ 200: "json", 202: asText }) }, request)
 */
export function byStatus(decoders: Readonly<Record<string, ReplyDecoder | "json">>): ReplyDecoder {
  return (response, reading) => {
    const decoder = decoders[response.status] ?? decoders["2XX"];
    return typeof decoder === "function" ? decoder(response, reading) : undefined;
  };
}

async function whole(response: Response, { lost }: Reading): Promise<ArrayBuffer> {
  return response.arrayBuffer().catch((cause: unknown) => {
    throw lost(cause);
  });
}
