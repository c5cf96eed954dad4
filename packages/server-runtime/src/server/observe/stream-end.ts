import { ClientDisconnectedError } from "../http/http-request.js";

/** Passes a stream on, and calls back once: with the number of its bytes, and the error if it failed or was cancelled. */
export function withStreamEnd(
  body: ReadableStream<Uint8Array>,
  ended: (bytes: number, error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            bytes += value.byteLength;
            return controller.enqueue(value);
          }
          controller.close();
          ended(bytes);
        } catch (error) {
          controller.error(error);
          ended(bytes, error);
        }
      },
      cancel: (reason) => {
        ended(bytes, new ClientDisconnectedError(reason));
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
