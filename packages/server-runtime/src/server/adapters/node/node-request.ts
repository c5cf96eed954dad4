import { NodeRequestHead, readNodeBytes, type Meter } from "../../../http/index.js";
import { hasOneHost } from "../../http/host-header.js";
import { BodyAlreadyUsedError, type HttpRequest } from "../../http/http-request.js";
import { waitForConnection } from "./connection-queue.js";
import { nodeStream, defaultUnreadTimeoutMs } from "./node-body-stream.js";
import { assignConnection } from "./node-connections.js";
import {
  isDisconnected,
  onResponseEnd,
  type NodeIncoming,
  type NodePair,
  type NodeServerResponse,
} from "./node-exchange.js";

/** A Node request and its response. Creates what is expensive only on first use. */
export class NodeServerRequest extends NodeRequestHead implements HttpRequest, NodePair {
  readonly request: NodeIncoming;
  readonly response: NodeServerResponse;
  /** Why the body cannot be read. Set when the API tries to read it. */
  bodyError: Error | undefined;
  /** Milliseconds after the response in which the client may send the rest of a body. */
  unreadTimeoutMs: number = defaultUnreadTimeoutMs;
  #signal: AbortSignal | undefined;
  #isReading = false;

  constructor(request: NodeIncoming, response: NodeServerResponse, target: string) {
    super(request, target);
    this.request = request;
    this.response = response;
    this.bodyError = undefined;
  }

  get address(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  get scheme(): "http" | "https" {
    return this.request.socket.encrypted === true ? "https" : "http";
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this);
    return this.#signal;
  }

  get hasOneHost(): boolean {
    return hasOneHost(this.request);
  }

  identify(user: string): void {
    assignConnection(this.request.socket, user);
  }

  ready(): Promise<void> | undefined {
    return waitForConnection(this);
  }

  disconnect(): void {
    this.response.destroy();
  }

  /** Whether unread bytes of the body are still to come. */
  get hasUnreadBody(): boolean {
    return this.length !== 0 && this.request.complete === false && !this.#isReading;
  }

  bytes(limit: number, _isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined> {
    if (this.length === 0) {
      meter?.done();
      return Promise.resolve(new Uint8Array());
    }
    return new Promise((resolve, reject) => {
      const bodyError = this.#bodyUsedError();
      if (bodyError !== undefined) {
        meter?.done();
        return reject(bodyError);
      }
      const done = (error: Error | undefined, bytes?: Uint8Array): void =>
        error === undefined ? resolve(bytes) : reject(error);
      readNodeBytes(this.request, { limit, length: this.length }, done, meter);
    });
  }

  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array> {
    const bodyError = this.#bodyUsedError();
    if (this.length === 0 || bodyError !== undefined) meter?.done();
    if (this.length === 0) return new ReadableStream({ start: (controller) => controller.close() });
    if (bodyError !== undefined) return new ReadableStream({ start: (controller) => controller.error(bodyError) });
    this.#isReading = true;
    const { unreadTimeoutMs } = this;
    const done = (): void => {
      this.#isReading = false;
      meter?.done();
    };
    return nodeStream(this, { limit, unreadTimeoutMs, meter, done });
  }

  #bodyUsedError(): Error | undefined {
    if (this.length === 0 || !this.request.readableDidRead) return undefined;
    this.bodyError = new BodyAlreadyUsedError();
    return this.bodyError;
  }
}

function signalOf(received: NodeServerRequest): AbortSignal {
  const { response } = received;
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (isDisconnected(received)) abort();
  else onResponseEnd(received, abort);
  return controller.signal;
}
