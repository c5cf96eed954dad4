import type { Pending } from "./guard.js";
import { joined } from "./node-bytes.js";

/**
 * All bytes; undefined when there are more than the limit. Whoever carries a request frames it by the length that it
 * declares, which the guard has compared with the limit: then the body is read in one go, which is several times faster
 * than counting, and looked at afterwards. Bytes whose number is not declared are counted as they arrive.
 */
export async function readWebBytes(
  request: Request,
  { limit, isDeclared }: Pick<Pending, "limit" | "isDeclared">,
): Promise<Uint8Array | undefined> {
  if (!isDeclared) return countBytes(request.body, limit);
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > limit ? undefined : bytes;
}

async function countBytes(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
