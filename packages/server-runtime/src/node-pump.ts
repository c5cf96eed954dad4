import { whenOver, type NodePair } from "./node-pair.js";
import type { Source } from "./source.js";

/** Sends chunks no faster than the client reads them. A client that leaves is no failure. */
export function pump(source: Source, pair: NodePair, failed: (error: unknown) => void): void {
  const { response } = pair;
  let isOver = false;
  let goOn: (() => void) | undefined;
  whenOver(pair, () => {
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
    // What was promised does not come; a connection that breaks says so.
    response.destroy();
  });
}
