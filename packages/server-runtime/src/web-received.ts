import { readWebBytes, WebExchange } from "@plumbline/validator-runtime/serving";
import { nodePairIn } from "./bindings.js";
import { connectionTurn } from "./connection-queue.js";
import { hasOneHost } from "./host-header.js";
import type { NodePair } from "./node-pair.js";
import { BodyEaten, TooLarge, type Received } from "./received.js";
import { sentTarget } from "./web-target.js";

/** A request as the web has it. */
export class WebReceived extends WebExchange implements Received {
  readonly #request: Request;
  readonly #addressOf: () => string | undefined;
  readonly #node: NodePair | undefined;

  /** @param host What the host hands on beside the request, such as the request of Node's server that it was made of. */
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
    // Several headers become one with commas, which no name of a host has.
    return this.header("host")?.includes(",") !== true;
  }

  ready(): Promise<void> | undefined {
    return this.#node === undefined ? undefined : connectionTurn(this.#node);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  async bytes(limit: number, isDeclared: boolean): Promise<Uint8Array | undefined> {
    if (this.#request.bodyUsed) throw new BodyEaten();
    return readWebBytes(this.#request, { limit, isDeclared });
  }

  stream(limit: number): ReadableStream<Uint8Array> {
    if (this.#request.bodyUsed) return new ReadableStream({ start: (controller) => controller.error(new BodyEaten()) });
    return webStream(this.#request.body, limit);
  }
}

/** The same bytes, no faster than they are read. Errors with a TooLarge after the limit. */
export function webStream(body: ReadableStream<Uint8Array> | null, limit: number): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  let length = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done || value === undefined) return controller.close();
        length += value.length;
        if (length <= limit) return controller.enqueue(value);
        const error = new TooLarge(limit);
        controller.error(error);
        await reader?.cancel(error);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
