import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isJsonObject, mediaTypeEssence } from "@plumbline/kit/model";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; absent: no body. */
  readonly body?: unknown;
}

/** A sample server: a function from requests to responses. */
export type Sample = (asked: Asked) => Answered;

/** An injected fault: a sample server created from another. */
export type Fault = (good: Sample) => Sample;

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A sample server on this machine. */
export async function serveSample(sample: Sample): Promise<Served> {
  const server = createServer((request, response) => {
    void (async () => {
      const { status, headers = {}, body } = sample(await readAsked(request));
      const type = body === undefined ? {} : { "content-type": "application/json" };
      response.writeHead(status, { ...type, ...headers }).end(body === undefined ? undefined : JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://sample.example");
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: await text(request),
  };
}

/** The value of a JSON body, or the reason why it is invalid. */
export function readFields({ headers, body }: Asked): Readonly<Record<string, unknown>> | 400 | 415 {
  const type = mediaTypeEssence(headers["content-type"] ?? "");
  if (type !== "application/json") return 415;
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : 400;
  } catch {
    return 400;
  }
}

/** A fault in the success response of a method at a path. */
export function answering(method: string, path: RegExp, change: (answered: Answered) => Answered): Fault {
  return (good) => (asked) => {
    const answered = good(asked);
    return asked.method === method && path.test(asked.path) && answered.status < 300 ? change(answered) : answered;
  };
}

/** A fault in the input: a part of the request that the server ignores. */
export function asking(method: string, path: RegExp, change: (asked: Asked) => Asked): Fault {
  return (good) => (asked) => good(asked.method === method && path.test(asked.path) ? change(asked) : asked);
}

/** With other fields in a body, where it is one. */
export function withFields(
  body: unknown,
  change: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): unknown {
  return isJsonObject(body) ? change(body) : body;
}
