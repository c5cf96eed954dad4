import type { IncomingMessage } from "node:http";

/** Maximum bytes of a message. */
const maxBodyBytes = 4_000_000;

/** A message is too large. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/**
 * Reads the body of a request as text.
 *
 * @throws BodyTooLargeError above 4 MB.
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw new BodyTooLargeError(`The message has more than ${maxBodyBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
