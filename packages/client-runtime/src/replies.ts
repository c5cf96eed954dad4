import type { ApiError, ApiErrorCode, ApiErrorFacts } from "./errors.js";

/** What a decoder may need beside the reply. */
export interface Reading {
  /** The failure to report when the body breaks off. */
  readonly lost: (cause: unknown) => unknown;
  /** Any other failure. */
  readonly fail: (code: ApiErrorCode, facts?: Partial<ApiErrorFacts>) => ApiError;
  /** Aborted when the call is, with the call's failure as its reason. */
  readonly signal: AbortSignal | undefined;
  /** Takes timer and signal off; runs when the call ends. A decoder that outlives it replaces this. */
  release: () => void;
}

/** Reads the body of a 2xx reply; is not asked for replies that have none. Undefined: to be read as JSON. */
export type ReplyDecoder = (response: Response, reading: Reading) => object | undefined;

/** The body as text; malformed UTF-8 is a `decode` failure. */
export async function asText(response: Response, reading: Reading): Promise<string> {
  const bytes = await whole(response, reading);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const { status, headers } = response;
    const body = new TextDecoder().decode(bytes).slice(0, 4096);
    throw reading.fail("decode", { text: "reply is malformed UTF-8", status, headers, body });
  }
}

/** The body as a `Blob` of the reply's media type. */
export async function asBlob(response: Response, reading: Reading): Promise<Blob> {
  return new Blob([await whole(response, reading)], { type: response.headers.get("content-type") ?? "" });
}

/** The body as bytes. */
export async function asBytes(response: Response, reading: Reading): Promise<Uint8Array> {
  return new Uint8Array(await whole(response, reading));
}

/**
 * The body while it arrives; `timeout` and `signal` hold until it ends or is cancelled, and make it fail with the same
 * `ApiError` as a call.
 */
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
 * The body by the status of the reply, `202` or `2XX`, for operations whose successes differ in kind; JSON where nothing
 * is said.
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
