import type { Meter } from "./meter.js";
import { ByteCollector } from "./node-bytes.js";
import type { PendingBody } from "./request-validator.js";

/**
 * Reads all bytes. Undefined if there are more than the limit. A short body with a declared length is read at once, which is several times faster
 * than counting; the server has framed it by that length. Other bodies are counted as they arrive.
 */
export async function readWebBytes(
  request: Request,
  {
    limit,
    isDeclared,
    length = 0,
  }: Pick<PendingBody, "limit" | "isDeclared"> & { readonly length?: number | undefined },
  meter?: Meter,
): Promise<Uint8Array | undefined> {
  const readBytes = (): Promise<Uint8Array | undefined> =>
    isDeclared && length <= maxBufferedBytes
      ? readBuffered(request, { limit, length }, meter)
      : countBytes(request, { limit, length }, meter);
  if (meter === undefined) return readBytes();
  try {
    return await readBytes();
  } finally {
    meter.done();
  }
}

/** Bytes. The memory of a body that is read at once counts from its start. */
const maxBufferedBytes = 65_536;

async function readBuffered(
  request: Request,
  { limit, length }: { readonly limit: number; readonly length: number },
  meter: Meter | undefined,
): Promise<Uint8Array | undefined> {
  const ended = meter && new Promise<never>((_, reject) => meter.onEnd(reject));
  ended?.catch(() => {});
  meter?.add(length);
  const all = request.arrayBuffer();
  const bytes = new Uint8Array(await (ended === undefined ? all : Promise.race([all, ended])));
  return bytes.length > limit ? undefined : bytes;
}

async function countBytes(
  { body }: Request,
  { limit, length }: { readonly limit: number; readonly length: number },
  meter?: Meter,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const collected = new ByteCollector(length);
  let ended: Error | undefined;
  meter?.onEnd((error) => {
    ended = error;
    collected.clear();
    reader.cancel(error).catch(() => {});
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (ended !== undefined) throw ended;
    if (done) return collected.bytes();
    if (collected.length + value.length > limit) {
      await reader.cancel();
      return undefined;
    }
    collected.add(value);
    meter?.add(value.length);
  }
}
