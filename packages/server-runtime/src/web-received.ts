import { readWebBytes, WebExchange, type Meter } from "@plumbline/validator-runtime/serving";
import { nodePairIn } from "./bindings.js";
import { connectionTurn } from "./connection-queue.js";
import { hasOneHost } from "./host-header.js";
import { whenOver, type NodePair } from "./node-pair.js";
import { BodyEaten, TooLarge, type Received } from "./received.js";
import { sentTarget } from "./web-target.js";

/** A request of the Fetch standard. */
export class WebReceived extends WebExchange implements Received {
  readonly #request: Request;
  readonly #addressOf: () => string | undefined;
  readonly #node: NodePair | undefined;

  /** @param host what the runtime passes beside the request, such as the Node request from which it was created */
  constructor(request: Request, addressOf: () => string | undefined, host?: unknown) {
    const node = nodePairIn(host);
    super(request, sentTarget(request, node?.request));
    this.#request = request;
    this.#addressOf = addressOf;
    this.#node = node;
  }

  get address(): string | undefined {
    return this.#addressOf();
  }

  get hasOneHost(): boolean {
    if (this.#node !== undefined) return hasOneHost(this.#node.request);
    // Fetch joins several headers with commas, which no host name has.
    return this.header("host")?.includes(",") !== true;
  }

  ready(): Promise<void> | undefined {
    return this.#node === undefined ? undefined : connectionTurn(this.#node);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  async bytes(limit: number, isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined> {
    if (!this.#request.bodyUsed) return readWebBytes(this.#request, { limit, isDeclared, length: this.length }, meter);
    meter?.done();
    throw new BodyEaten();
  }

  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array> {
    if (meter !== undefined && this.#node !== undefined) whenOver(this.#node, () => meter.done());
    if (!this.#request.bodyUsed) return webStream(this.#request.body, limit, meter);
    meter?.done();
    return new ReadableStream({ start: (controller) => controller.error(new BodyEaten()) });
  }
}

/** Streams a body with back-pressure. Fails with a `TooLarge` after the limit. */
export function webStream(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  meter?: Meter,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  let length = 0;
  let isEnded = false;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        meter?.onEnd((error) => {
          isEnded = true;
          controller.error(error);
          reader?.cancel(error).catch(() => {});
        }),
      pull: async (controller) => {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (isEnded) return;
        if (done || value === undefined) {
          meter?.done();
          return controller.close();
        }
        length += value.length;
        if (length <= limit) return controller.enqueue(value);
        const error = new TooLarge(limit);
        meter?.done();
        controller.error(error);
        await reader?.cancel(error);
      },
      cancel: (reason) => {
        meter?.done();
        return reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
