import type { ChunkSource } from "../../http/chunk-source.js";
import { onResponseEnd, type NodePair } from "./node-exchange.js";

/** Sends chunks no faster than the client reads them. A client that disconnects is not an error. */
export function pumpChunks(source: ChunkSource, pair: NodePair, failed: (error: unknown) => void): void {
  const { response } = pair;
  let isOver = false;
  let goOn: (() => void) | undefined;
  onResponseEnd(pair, () => {
    isOver = true;
    source.cancel();
    goOn?.();
  });
  response.on("drain", () => goOn?.());
  const flow = async (): Promise<void> => {
    for (;;) {
      const chunk = await source.next();
      if (isOver) return;
      if (chunk === undefined) return void response.end();
      if (!response.write(chunk)) await new Promise<void>((resolve) => (goOn = resolve));
    }
  };
  flow().catch((error: unknown) => {
    if (isOver) return;
    source.cancel(error);
    failed(error);
    // The declared rest never comes. A broken connection is how the client notices.
    response.destroy();
  });
}
