import { connectionTurn } from "./connection-queue.js";
import { hasOneHost } from "./host-header.js";
import { NodeExchange, readNodeBytes, type Meter } from "@plumbline/validator-runtime/serving";
import { isGone, whenOver, type NodeIncoming, type NodePair, type NodeResponse } from "./node-pair.js";
import { nodeStream, usualUnreadTimeoutMs } from "./node-stream.js";
import { BodyEaten, type Received } from "./received.js";

/** A Node request and its response. Creates what is expensive only on first use. */
export class NodeReceived extends NodeExchange implements Received, NodePair {
  readonly request: NodeIncoming;
  readonly response: NodeResponse;
  /** Why the body cannot be read. Set when the API tries to read it. */
  eaten: Error | undefined;
  /** Milliseconds after the response in which the client may send the rest of a body. */
  unreadTimeoutMs: number = usualUnreadTimeoutMs;
  #signal: AbortSignal | undefined;
  #isReading = false;

  constructor(request: NodeIncoming, response: NodeResponse, target: string) {
    super(request, target);
    this.request = request;
    this.response = response;
    this.eaten = undefined;
  }

  get address(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this);
    return this.#signal;
  }

  get hasOneHost(): boolean {
    return hasOneHost(this.request);
  }

  ready(): Promise<void> | undefined {
    return connectionTurn(this);
  }

  /** Whether unread bytes of the body are still to come. */
  get hasRest(): boolean {
    return this.length !== 0 && this.request.complete === false && !this.#isReading;
  }

  bytes(limit: number, _isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined> {
    if (this.length === 0) {
      meter?.done();
      return Promise.resolve(new Uint8Array());
    }
    return new Promise((resolve, reject) => {
      const eaten = this.#whyEaten();
      if (eaten !== undefined) {
        meter?.done();
        return reject(eaten);
      }
      const done = (error: Error | undefined, bytes?: Uint8Array): void =>
        error === undefined ? resolve(bytes) : reject(error);
      readNodeBytes(this.request, limit, done, meter);
    });
  }

  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array> {
    const eaten = this.#whyEaten();
    if (this.length === 0 || eaten !== undefined) meter?.done();
    if (this.length === 0) return new ReadableStream({ start: (controller) => controller.close() });
    if (eaten !== undefined) return new ReadableStream({ start: (controller) => controller.error(eaten) });
    this.#isReading = true;
    const { unreadTimeoutMs } = this;
    const done = (): void => {
      this.#isReading = false;
      meter?.done();
    };
    return nodeStream(this, { limit, unreadTimeoutMs, meter, done });
  }

  #whyEaten(): Error | undefined {
    if (this.length === 0 || !this.request.readableDidRead) return undefined;
    this.eaten = new BodyEaten();
    return this.eaten;
  }
}

function signalOf(received: NodeReceived): AbortSignal {
  const { response } = received;
  const controller = new AbortController();
  const left = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (isGone(received)) left();
  else whenOver(received, left);
  return controller.signal;
}
