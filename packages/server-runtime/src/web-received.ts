import { readWebBytes, WebExchange } from "@plumbline/validator-runtime/serving";
import { BodyEaten, TooLarge, type Received } from "./received.js";

/** A request as the web has it. */
export class WebReceived extends WebExchange implements Received {
  readonly #request: Request;
  readonly #addressOf: () => string | undefined;

  constructor(request: Request, addressOf: () => string | undefined) {
    super(request);
    this.#request = request;
    this.#addressOf = addressOf;
  }

  get address(): string | undefined {
    return this.#addressOf();
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
