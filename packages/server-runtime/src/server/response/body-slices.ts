import type { HttpResponse } from "../http/http-response.js";
import { utf8ByteCount } from "../http/message-framing.js";

/** Bytes. A larger body is sent in pieces of this size, with back-pressure. */
export const maxSliceBytes = 65_536;

/** The size of a body in bytes; 0 for a stream. */
export function bodySize(body: HttpResponse["body"]): number {
  if (typeof body === "string") return utf8ByteCount(body);
  return body instanceof Uint8Array ? body.length : 0;
}

/** Turns a body into a stream of pieces. Calls `left` after the last piece, or when the stream is cancelled. */
export function sliceBody(answer: HttpResponse, size: number, remaining: () => void): HttpResponse {
  const { body, headers } = answer;
  let rest = body as string | Uint8Array | undefined;
  let at = 0;
  const done = (): void => {
    rest = undefined;
    remaining();
  };
  const pieces = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (rest === undefined) return;
        const end = sliceEnd(rest, at);
        controller.enqueue(typeof rest === "string" ? encoder.encode(rest.slice(at, end)) : rest.subarray(at, end));
        at = end;
        if (at < rest.length) return;
        controller.close();
        done();
      },
      cancel: done,
    },
    { highWaterMark: 0 },
  );
  return { ...answer, headers: { ...headers, "Content-Length": String(size) }, body: pieces };
}

const encoder = new TextEncoder();

/** Half a surrogate pair has no UTF-8 form. */
function sliceEnd(body: string | Uint8Array, at: number): number {
  const end = Math.min(body.length, at + maxSliceBytes);
  if (typeof body !== "string" || end === body.length) return end;
  const isHigh = (body.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
