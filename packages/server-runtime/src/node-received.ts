import { NodeExchange, readNodeBytes, type NodeRequest } from "@plumbline/validator-runtime/serving";
import { nodeStream } from "./node-stream.js";
import type { Received } from "./received.js";

/** As much of Node's IncomingMessage as is looked at. */
export interface NodeIncoming extends NodeRequest {
  /** Whether all of the body has arrived. */
  readonly complete: boolean;
  readonly socket: NodeSocket;
  pause(): unknown;
  resume(): unknown;
}

export interface NodeSocket {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean;
  destroy(): unknown;
}

/** As much of Node's ServerResponse as is called. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  flushHeaders(): void;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
}

/** A request of Node's, and where its answer goes. What nobody asks for is not made. */
export class NodeReceived extends NodeExchange implements Received {
  readonly request: NodeIncoming;
  readonly response: NodeResponse;
  /** Why the body cannot be read, once somebody wanted to. */
  eaten: Error | undefined;
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

  /** Whether bytes are still to come that nobody reads. */
  get hasRest(): boolean {
    return this.length !== 0 && !this.request.complete && !this.#isReading;
  }

  bytes(limit: number): Promise<Uint8Array | undefined> {
    if (this.length === 0) return Promise.resolve(new Uint8Array());
    return new Promise((resolve, reject) => {
      const eaten = this.#whyEaten();
      if (eaten !== undefined) return reject(eaten);
      readNodeBytes(this.request, limit, (error, bytes) => (error === undefined ? resolve(bytes) : reject(error)));
    });
  }

  stream(limit: number): ReadableStream<Uint8Array> {
    const eaten = this.#whyEaten();
    if (eaten !== undefined) return new ReadableStream({ start: (controller) => controller.error(eaten) });
    this.#isReading = true;
    return nodeStream(this.request, limit, () => {
      this.#isReading = false;
    });
  }

  #whyEaten(): Error | undefined {
    if (this.length === 0 || !this.request.readableDidRead) return undefined;
    this.eaten = new Error(eaten);
    return this.eaten;
  }
}

export const eaten =
  "The API found the body already read, and cannot read it. Put the API before whatever parses bodies.";

/** Calls back when nothing more is sent of an answer, be it complete or not; perhaps several times. */
export function whenOver({ request, response }: NodeReceived, over: () => void): void {
  // Where requests wait for the one before them, the connection is that one's, and only the request is told that it broke.
  // A request is closed as well when all of its body has been read, and then nothing is over.
  request.on("close", () => {
    if (isGone({ request, response })) over();
  });
  response.on("close", over);
}

/** Whether nothing can be sent any more: somebody has, or nobody is there. */
export function isOver({ request, response }: NodeReceived): boolean {
  return response.headersSent || response.writableEnded || isGone({ request, response });
}

function isGone({ request, response }: Pick<NodeReceived, "request" | "response">): boolean {
  return response.destroyed || request.socket.destroyed === true;
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
