import type { ApiError } from "./errors.js";

/** What a decoder may need beside the reply. */
export interface Reading {
  /** The whole body. */
  readonly bytes: () => Promise<ArrayBuffer>;
  /** The failure to report when the body breaks off. */
  readonly lost: (cause: unknown) => ApiError;
  /** Aborted when the call is, with the call's failure as its reason. */
  readonly signal: AbortSignal | undefined;
  /** Leaves timer and signal on when the call ends; the function that it returns takes them off. */
  readonly hold: () => () => void;
}

/** Reads the body of a 2xx reply; is not asked for replies that cannot have one. */
export type ReplyDecoder = (response: Response, reading: Reading) => unknown;

/** The body as text; malformed UTF-8 is a `decode` failure. */
export async function asText(_: Response, { bytes }: Reading): Promise<string> {
  return strict.decode(await bytes());
}

/** The body as a `Blob` of the reply's media type. */
export async function asBlob({ headers }: Response, { bytes }: Reading): Promise<Blob> {
  return new Blob([await bytes()], { type: headers.get("content-type") ?? "" });
}

/** The body as bytes. */
export async function asBytes(_: Response, { bytes }: Reading): Promise<Uint8Array> {
  return new Uint8Array(await bytes());
}

/**
 * The body while it arrives; `timeout` and `signal` hold until it ends or is cancelled, and make it fail with the same
 * `ApiError` as a call.
 */
export function asStream(response: Response, { hold, lost, signal }: Reading): ReadableStream<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const release = hold();
  return new ReadableStream(
    {
      start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
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
  return async (response, reading) => {
    const decoder = decoders[response.status] ?? decoders["2XX"] ?? "json";
    return decoder === "json" ? readJson(await reading.bytes(), response.headers) : decoder(response, reading);
  };
}

/** The value of a JSON body, undefined of an empty one; throws what is wrong with it, never showing any of it. */
export function readJson(raw: ArrayBuffer, headers: Headers): unknown {
  if (!raw.byteLength) return undefined;
  const type = headers.get("content-type");
  // Without a type the body itself must tell.
  if (type && !/[/+]json *($|[;,])/i.test(type)) throw new TypeError(`reply is ${type}, not JSON`);
  try {
    return JSON.parse(strict.decode(raw));
  } catch {
    throw new TypeError("reply is malformed JSON");
  }
}

/** The beginning of a body that is not what it should be, at most 4,096 characters. */
export function textOf(raw: ArrayBuffer): string {
  return new TextDecoder().decode(raw).slice(0, 4096);
}

const strict: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });
