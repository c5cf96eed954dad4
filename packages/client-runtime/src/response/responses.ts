import type { ApiError, ApiErrorCode, ApiErrorInit } from "../errors.js";

/** The context in which a decoder reads a response. */
export interface DecodeContext {
  /** Creates an error. With code `network`, `thrown` is why the body has ended early. */
  readonly toError: (code: ApiErrorCode, facts?: Partial<ApiErrorInit>, thrown?: unknown) => ApiError;
  /** Aborted with the call, with the call's error as its reason. */
  readonly signal: AbortSignal | undefined;
  /** Removes timer and listeners. Runs when the call ends; a decoder that outlives the call replaces it. */
  close: () => void;
}

/** Decodes the body of a 2xx response. Not called for responses without one. Returns undefined for a body that is JSON. */
export type ResponseDecoder = (response: Response, reading: DecodeContext) => object | PromiseLike<unknown> | undefined;

/** Decodes the body as text. Malformed UTF-8 is an error with code `decode`. */
export async function asText(response: Response, reading: DecodeContext): Promise<string> {
  const bytes = await readBytes(response, reading);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const { status, headers } = response;
    const body = new TextDecoder().decode(bytes).slice(0, 4096);
    throw reading.toError("decode", { text: "response is malformed UTF-8", status, headers, body });
  }
}

/** Decodes the body as a `Blob` of the response's media type. */
export async function asBlob(response: Response, reading: DecodeContext): Promise<Blob> {
  return new Blob([await readBytes(response, reading)], { type: response.headers.get("content-type") ?? "" });
}

/** Decodes the body as bytes. */
export async function asBytes(response: Response, reading: DecodeContext): Promise<Uint8Array> {
  return new Uint8Array(await readBytes(response, reading));
}

/** Streams the body. `timeout` and `signal` apply until it ends or is cancelled, and fail the stream with the `ApiError` of the call. */
export function asStream(response: Response, reading: DecodeContext): ReadableStream<Uint8Array> {
  const { toError, close, signal } = reading;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  reading.close = () => {};
  return new ReadableStream(
    {
      start(controller) {
        signal?.addEventListener("abort", () => {
          close();
          controller.error(signal.reason);
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          close();
          controller.close();
        } catch (cause) {
          close();
          throw toError("network", {}, cause);
        }
      },
      cancel(reason) {
        close();
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
 * callOperation(client, { method: "POST", path: "/reports", reply: decodeByStatus({ 200: "json", 202: asText }) }, request)
 */
export function decodeByStatus(decoders: Readonly<Record<string, ResponseDecoder | "json">>): ResponseDecoder {
  return (response, reading) => {
    const decoder = decoders[response.status] ?? decoders["2XX"];
    return typeof decoder === "function" ? decoder(response, reading) : undefined;
  };
}

async function readBytes(response: Response, { toError }: DecodeContext): Promise<ArrayBuffer> {
  return response.arrayBuffer().catch((cause: unknown) => {
    throw toError("network", {}, cause);
  });
}
