/** The body of a response, chunk by chunk. */
export interface ChunkSource {
  /** Undefined after the last chunk. Rejects if the body fails or has another length than declared. */
  next(): Promise<Uint8Array | undefined>;
  /** Cancels the stream. A pending `next` resolves with undefined. */
  cancel(reason?: unknown): void;
}

/** Reads a stream. Throws for one that is locked by another reader. */
export function createChunkSource(body: ReadableStream<Uint8Array>, declared: number | undefined): ChunkSource {
  const reader = body.getReader();
  let length = 0;
  return {
    next: async () => {
      const { done, value } = await reader.read();
      if (done) {
        if (declared !== undefined && length < declared) throw contentLengthError(length, declared);
        return undefined;
      }
      if (!ArrayBuffer.isView(value))
        throw new TypeError("The body of a response streams values that are not bytes. Enqueue Uint8Arrays.");
      length += value.byteLength;
      // Further bytes would be parsed as the start of the next response.
      if (declared !== undefined && length > declared) throw contentLengthError(length, declared);
      return value;
    },
    cancel: (reason) => {
      reader.cancel(reason).catch(() => {});
    },
  };
}

function contentLengthError(length: number, declared: number): RangeError {
  return new RangeError(`The body of a response has ${length} bytes, but its Content-Length is ${declared}.`);
}
