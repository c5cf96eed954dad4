import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The response. Default: an empty 204. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server on this machine that records the bytes of requests, and responds with the given bytes. */
export interface Loopback {
  readonly url: string;
  /** The last request: its first line, its headers as they were written, and its body. */
  readonly last: () => {
    readonly line: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: (next: Answer) => void;
  readonly close: () => Promise<void>;
}

export async function startLoopback(): Promise<Loopback> {
  let last: ReturnType<Loopback["last"]> | undefined;
  let next: Answer = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
      );
      last = { line: `${request.method} ${request.url}`, headers, body: Buffer.concat(chunks).toString("utf8") };
      response.writeHead(next.status ?? 204, next.headers).end(next.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    last: () => {
      if (last === undefined) throw new Error("nothing was sent");
      return last;
    },
    answer: (given) => (next = given),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
