/** As much of Node's IncomingMessage as reading it takes. */
export interface NodeStream {
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  resume(): unknown;
  removeListener(event: string, listener: (...given: never[]) => void): unknown;
}

/** All bytes; undefined as soon as there are more than the limit, and the rest is thrown away. */
export function readNodeBytes(stream: NodeStream, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const settle = (result: Uint8Array | undefined): void => {
      stream.removeListener("data", onData);
      stream.removeListener("end", onEnd);
      stream.removeListener("close", onClose);
      resolve(result);
    };
    const onData = (chunk: Uint8Array): void => {
      length += chunk.length;
      if (length > limit) {
        settle(undefined);
        // Thrown away until the reply has closed the connection: a client that still sends would not see the reply.
        stream.resume();
      } else chunks.push(chunk);
    };
    const onEnd = (): void => settle(joined(chunks, length));
    const onClose = (): void => reject(new Error("The client left before the body was complete."));
    if (stream.destroyed) return onClose();
    stream.on("data", onData);
    stream.on("end", onEnd);
    stream.on("close", onClose);
    stream.on("error", reject);
  });
}

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
