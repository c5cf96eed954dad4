import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request as the server received it. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Loopback {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

/** A real server on a free loopback port until the test ends. It records every request, and responds with `{}` by default. */
export async function serve(
  answer: (response: ServerResponse, request: SeenRequest) => void = sendJson({}),
): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  const receive = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = message;
    const request = { method, url, headers, body: await text(message) };
    seen.push(request);
    answer(response, request);
  };
  const server = createServer((message, response) => {
    // A client may disconnect before its request has arrived.
    receive(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export function sendJson(value: unknown, status = 200, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
}

export function send(status: number, contentType: string | undefined, body: string | Uint8Array) {
  return (response: ServerResponse): void => {
    response.writeHead(status, contentType === undefined ? {} : { "content-type": contentType }).end(body);
  };
}

/** A promise and the function that resolves it. */
export function createDeferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  const holder: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => (holder.resolve = resolve));
  return { promise, resolve: (value) => holder.resolve?.(value) };
}

/** The error of a call that has to fail. */
export async function errorOf(pending: Promise<unknown>): Promise<Error> {
  return pending.then(
    (value) => {
      throw new Error(`did not fail but gave ${JSON.stringify(value)}`);
    },
    (error: Error) => error,
  );
}
