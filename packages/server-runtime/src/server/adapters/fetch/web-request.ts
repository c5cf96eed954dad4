import { readWebBytes, WebRequestHead, type Meter } from "../../../http/index.js";
import { hasOneHost } from "../../http/host-header.js";
import { BodyAlreadyUsedError, ContentTooLargeError, type HttpRequest } from "../../http/http-request.js";
import { waitForConnection } from "../node/connection-queue.js";
import { assignConnection } from "../node/node-connections.js";
import { onResponseEnd, type NodePair } from "../node/node-exchange.js";
import { nodePairIn } from "./bindings.js";
import { originalTarget } from "./original-target.js";

/** A request of the Fetch standard. */
export class WebServerRequest extends WebRequestHead implements HttpRequest {
  readonly #request: Request;
  readonly #addressOf: () => string | undefined;
  readonly #node: NodePair | undefined;
  /** Why there is no response. Undefined if there is one, or if Node's response is destroyed instead. */
  disconnectError: Error | undefined;

  /** @param host what the runtime passes beside the request, such as the Node request from which it was created */
  constructor(request: Request, addressOf: () => string | undefined, host?: unknown) {
    const node = nodePairIn(host);
    super(request, originalTarget(request, node?.request));
    this.#request = request;
    this.#addressOf = addressOf;
    this.#node = node;
  }

  get address(): string | undefined {
    return this.#addressOf();
  }

  get scheme(): "http" | "https" {
    return /^https:/i.test(this.#request.url) ? "https" : "http";
  }

  get url(): string {
    return this.#request.url;
  }

  /** Without a Node response, the handler of the request rejects. */
  disconnect(error: Error): void {
    if (this.#node === undefined) this.disconnectError = error;
    else this.#node.response.destroy();
  }

  get hasOneHost(): boolean {
    if (this.#node !== undefined) return hasOneHost(this.#node.request);
    // Fetch joins several headers with commas, which no host name has.
    return this.header("host")?.includes(",") !== true;
  }

  identify(user: string): void {
    if (this.#node !== undefined) assignConnection(this.#node.request.socket, user);
  }

  ready(): Promise<void> | undefined {
    return this.#node === undefined ? undefined : waitForConnection(this.#node);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  async bytes(limit: number, isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined> {
    if (!this.#request.bodyUsed) return readWebBytes(this.#request, { limit, isDeclared, length: this.length }, meter);
    meter?.done();
    throw new BodyAlreadyUsedError();
  }

  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array> {
    if (meter !== undefined && this.#node !== undefined) onResponseEnd(this.#node, () => meter.done());
    if (!this.#request.bodyUsed) return webStream(this.#request.body, limit, meter);
    meter?.done();
    return new ReadableStream({ start: (controller) => controller.error(new BodyAlreadyUsedError()) });
  }
}

/** Streams a body with back-pressure. Fails with a `ContentTooLargeError` after the limit. */
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
        const error = new ContentTooLargeError(limit);
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
