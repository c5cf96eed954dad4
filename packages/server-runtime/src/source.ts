/** The body of an answer, chunk by chunk. */
export interface Source {
  /** Undefined after the last one. Rejects where the body fails, or is not what was said of it. */
  next(): Promise<Uint8Array | undefined>;
  /** Lets go of it; what waits for a chunk is told that there are no more. */
  cancel(reason?: unknown): void;
}

/** Throws for a stream that somebody else reads. */
export function sourceOf(body: ReadableStream<Uint8Array>, declared: number | undefined): Source {
  const reader = body.getReader();
  let length = 0;
  return {
    next: async () => {
      const { done, value } = await reader.read();
      if (done) {
        if (declared !== undefined && length < declared) throw miscounted(length, declared);
        return undefined;
      }
      if (!ArrayBuffer.isView(value)) throw new TypeError("the body of an answer streams something else than bytes");
      length += value.byteLength;
      // One more would be read as the begin of the next answer.
      if (declared !== undefined && length > declared) throw miscounted(length, declared);
      return value;
    },
    cancel: (reason) => {
      reader.cancel(reason).catch(() => {});
    },
  };
}

function miscounted(length: number, declared: number): RangeError {
  return new RangeError(`the body of an answer streams ${length} bytes, and its Content-Length is ${declared}`);
}
