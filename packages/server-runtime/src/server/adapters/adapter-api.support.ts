import type { HttpResponse } from "../http/http-response.js";
import { ContentTooLargeError, type HttpRequest } from "../http/http-request.js";
import type { Server } from "../http/server.js";

/** A hand-written API below `/v4`. Each path does one thing that an adapter has to support. */
export interface AdapterApi extends Server {
  /** The events, in order: `failed: out of ink`. */
  readonly diary: readonly string[];
  /** Resolves as soon as the diary has this entry. */
  written(entry: string): Promise<void>;
  /** Releases the responses of `/v4/held`. */
  open(): void;
  /** Bytes that `/v4/endless` has produced. */
  readonly made: number;
  /** Bytes of `/v4/asks`, as far as they still exist. */
  readonly signals: readonly WeakRef<AbortSignal>[];
}

type AdapterWork = (received: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export const oneMegabyte = 1_048_576;

const plain = { "content-type": "text/plain" };

export function createAdapterApi(): AdapterApi {
  const diary: string[] = [];
  const waiting: (() => void)[] = [];
  const signals: WeakRef<AbortSignal>[] = [];
  const note = (entry: string): void => {
    diary.push(entry);
    for (const wake of waiting) wake();
  };
  let made = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waits = async ({ signal }: HttpRequest): Promise<HttpResponse> => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    note("waits: left");
    return { status: 200, headers: plain, body: "unread" };
  };
  const works: Readonly<Record<string, AdapterWork>> = {
    ...responses,
    endless: () => ({
      status: 200,
      headers: {},
      body: new ReadableStream<Uint8Array>({
        pull: (controller) => {
          made += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => note("endless: cancelled"),
      }),
    }),
    silent: () => ({
      status: 200,
      headers: plain,
      body: new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(encodeText("begun")),
        cancel: () => note("silent: cancelled"),
      }),
    }),
    fails: () => ({ status: 200, headers: plain, body: textStream(["some"], new Error("out of ink")) }),
    echo: async (received) => {
      try {
        const { length } = received;
        const bytes =
          length !== undefined && length > 100 ? undefined : await received.bytes(100, length !== undefined);
        return bytes === undefined
          ? { status: 413, headers: plain, body: "too large" }
          : { status: 200, headers: plain, body: bytes };
      } catch (error) {
        note("echo: broke off");
        throw error;
      }
    },
    count: async (received) => {
      const body = received.stream(60 * oneMegabyte);
      return { status: 200, headers: plain, body: String(await lengthOf(body.getReader())) };
    },
    held: async (received) => {
      const reader = received.stream(60 * oneMegabyte).getReader();
      const { value } = await reader.read();
      note("held: begun");
      await gate;
      return { status: 200, headers: plain, body: String((value?.length ?? 0) + (await lengthOf(reader))) };
    },
    small: async (received) => {
      try {
        return { status: 200, headers: plain, body: String(await lengthOf(received.stream(100).getReader())) };
      } catch (error) {
        note(`small: ${error instanceof ContentTooLargeError ? error.message : "broke off"}`);
        return { status: 413, headers: plain, body: "too large" };
      }
    },
    pipe: (received) => ({ status: 200, headers: plain, body: received.stream(oneMegabyte) }),
    first: async (received) => {
      const reader = received.stream(60 * oneMegabyte).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return { status: 200, headers: plain, body: value ?? "" };
    },
    forgets: async (received) => {
      const reader = received.stream(60 * oneMegabyte).getReader();
      const { value } = await reader.read();
      reader.read().then(undefined, () => note("forgets: reported"));
      return { status: 200, headers: plain, body: value ?? "" };
    },
    stops: async (received) => {
      const { value } = await received
        .stream(60 * oneMegabyte)
        .getReader()
        .read();
      return { status: 200, headers: plain, body: value ?? "" };
    },
    waits: (received) => {
      note("waits: begun");
      return waits(received);
    },
    "reads-and-waits": async (received) => {
      const bytes = await received.bytes(100, true);
      note(`reads-and-waits: ${new TextDecoder().decode(bytes)}`);
      return waits(received);
    },
    asks: ({ signal }) => {
      signal.addEventListener("abort", () => note("asks: aborted"));
      signals.push(new WeakRef(signal));
      return { status: 200, headers: plain, body: "asked" };
    },
  };
  return {
    diary,
    signals,
    open: () => open(),
    get made() {
      return made;
    },
    written: async (entry) => {
      while (!diary.includes(entry)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    handle: (received) => {
      const [path = ""] = received.target.split("?");
      if (!path.startsWith("/v4/")) return undefined;
      const name = path.slice(4);
      if (name === "throws") throw new Error("thrown");
      const work = works[name];
      return work === undefined ? Promise.reject(new Error(`no ${name}`)) : (async () => work(received))();
    },
    notFound: () => ({ status: 404, headers: plain, body: "nowhere" }),
    internalError: (error, received) => {
      note(`failed: ${(error as Error).message}`);
      if (received.target === "/v4/throws?twice") throw new Error("thrown again");
      return { status: 500, headers: plain, body: received.target.endsWith("?badly") ? respondBadly : "failed" };
    },
  };
}

// Not even the error response can be sent.
const respondBadly = 1 as unknown as string;

/** The same response for every request. */
const responses: Readonly<Record<string, AdapterWork>> = {
  text: () => ({ status: 200, headers: { ...plain, "X-Request-Id": "1" }, body: "naïve ✓" }),
  bytes: () => ({ status: 201, headers: { "content-type": "image/x" }, body: encodeText("bytes") }),
  stream: () => ({ status: 200, headers: plain, body: textStream(["one, ", "", "two"]) }),
  counted: () => ({ status: 200, headers: { ...plain, "Content-Length": "8" }, body: textStream(["one, ", "two"]) }),
  short: () => ({ status: 200, headers: { ...plain, "content-length": "9" }, body: textStream(["one, ", "two"]) }),
  long: () => ({ status: 200, headers: { ...plain, "content-length": "7" }, body: textStream(["one, ", "two"]) }),
  strings: () => ({ status: 200, headers: plain, body: textStream(["one"]).pipeThrough(asText()) }),
  locked: () => {
    const body = textStream(["one"]);
    body.getReader();
    return { status: 200, headers: plain, body };
  },
  mute: () => ({ status: 200, headers: plain, body: new ReadableStream<Uint8Array>() }),
  nothing: () => ({ status: 200, headers: {} }),
  none: () => ({ status: 204, headers: { ...plain, "content-length": "3", "x-a": "1" }, body: "abc" }),
  same: () => ({ status: 304, headers: { ...plain, etag: '"1"' }, body: textStream(["abc"]) }),
  reset: () => ({ status: 205, headers: {}, body: "abc" }),
  lies: () => ({ status: 200, headers: { "Content-Length": "3", "Transfer-Encoding": "chunked" }, body: "four" }),
  ends: () => ({ status: 200, headers: { ...plain, Connection: "close" }, body: "bye" }),
  breaks: () => ({ status: 200, headers: { "x-a": "1\r\nx-b: 2" }, body: "abc" }),
  wide: () => ({ status: 204, headers: { "x-a": "✓" } }),
  latin: () => ({ status: 200, headers: { "x-a": "é" }, body: "" }),
  names: () => ({ status: 200, headers: { "x a": "1" } }),
  odd: () => ({ status: 99, headers: {} }),
  informs: () => ({ status: 103, headers: {} }),
  early: () => ({ status: 403, headers: plain, body: "no" }),
  "early-stream": () => ({ status: 403, headers: plain, body: textStream(["n", "o"]) }),
  who: ({ method, target, address, length }) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify([method, target, address ?? null, length ?? null]),
  }),
};

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textStream(texts: readonly string[], error?: Error): ReadableStream<Uint8Array> {
  const rest = [...texts];
  return new ReadableStream({
    pull: (controller) => {
      const text = rest.shift();
      if (text !== undefined) controller.enqueue(encodeText(text));
      else if (error !== undefined) controller.error(error);
      else controller.close();
    },
  });
}

function asText(): ReadableWritablePair<Uint8Array, Uint8Array> {
  return new TextDecoderStream() as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
}

async function lengthOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return length;
    length += value.length;
  }
}
