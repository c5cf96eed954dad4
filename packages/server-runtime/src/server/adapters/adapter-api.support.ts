import { ContentTooLargeError, type HttpRequest } from "../http/http-request.js";
import type { HttpResponse } from "../http/http-response.js";
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
  /** The signals of `/v4/asks`, as far as they still exist. */
  readonly signals: readonly WeakRef<AbortSignal>[];
}

type AdapterWork = (received: HttpRequest) => HttpResponse | Promise<HttpResponse>;

type AdapterWorks = Readonly<Record<string, AdapterWork>>;

export const oneMegabyte = 1_048_576;

const plain = { "content-type": "text/plain" };

export function createAdapterApi(): AdapterApi {
  const diary = new Diary();
  const signals: WeakRef<AbortSignal>[] = [];
  const produced = { bytes: 0 };
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const works: AdapterWorks = {
    ...responses,
    ...streams(diary, produced),
    ...readers(diary, gate),
    ...listeners(diary, signals),
  };
  return {
    diary: diary.entries,
    signals,
    open: () => open(),
    get made() {
      return produced.bytes;
    },
    written: (entry) => diary.written(entry),
    handle: (received) => {
      const [path = ""] = received.target.split("?");
      if (!path.startsWith("/v4/")) return undefined;
      const name = path.slice(4);
      if (name === "throws") throw new Error("thrown");
      const work = works[name];
      return work === undefined ? Promise.reject(new Error(`no ${name}`)) : (async () => work(received))();
    },
    notFound: () => plainResponse("nowhere", 404),
    internalError: (error, received) => {
      diary.write(`failed: ${(error as Error).message}`);
      if (received.target === "/v4/throws?twice") throw new Error("thrown again");
      return plainResponse(received.target.endsWith("?badly") ? respondBadly : "failed", 500);
    },
  };
}

class Diary {
  readonly entries: string[] = [];
  readonly #waiting: (() => void)[] = [];

  write(entry: string): void {
    this.entries.push(entry);
    for (const wake of this.#waiting) wake();
  }

  async written(entry: string): Promise<void> {
    while (!this.entries.includes(entry)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function streams(diary: Diary, produced: { bytes: number }): AdapterWorks {
  return {
    endless: () => ({
      status: 200,
      headers: {},
      body: new ReadableStream<Uint8Array>({
        pull: (controller) => {
          produced.bytes += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => diary.write("endless: cancelled"),
      }),
    }),
    silent: () =>
      plainResponse(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(encodeText("begun")),
          cancel: () => diary.write("silent: cancelled"),
        }),
      ),
    fails: () => plainResponse(textStream(["some"], new Error("out of ink"))),
  };
}

/** What reads the body of the request. */
function readers(diary: Diary, gate: Promise<void>): AdapterWorks {
  return {
    echo: async (received) => {
      try {
        const { length } = received;
        const bytes =
          length !== undefined && length > 100 ? undefined : await received.bytes(100, length !== undefined);
        return bytes === undefined ? plainResponse("too large", 413) : plainResponse(bytes);
      } catch (error) {
        diary.write("echo: broke off");
        throw error;
      }
    },
    count: async (received) => plainResponse(String(await lengthOf(readerOf(received)))),
    held: async (received) => {
      const reader = readerOf(received);
      const { value } = await reader.read();
      diary.write("held: begun");
      await gate;
      return plainResponse(String((value?.length ?? 0) + (await lengthOf(reader))));
    },
    small: async (received) => {
      try {
        return plainResponse(String(await lengthOf(received.stream(100).getReader())));
      } catch (error) {
        diary.write(`small: ${error instanceof ContentTooLargeError ? error.message : "broke off"}`);
        return plainResponse("too large", 413);
      }
    },
    pipe: (received) => plainResponse(received.stream(oneMegabyte)),
    first: async (received) => {
      const reader = readerOf(received);
      const { value } = await reader.read();
      await reader.cancel();
      return plainResponse(value ?? "");
    },
    forgets: async (received) => {
      const reader = readerOf(received);
      const { value } = await reader.read();
      reader.read().then(undefined, () => diary.write("forgets: reported"));
      return plainResponse(value ?? "");
    },
    stops: async (received) => {
      const { value } = await readerOf(received).read();
      return plainResponse(value ?? "");
    },
  };
}

/** What waits until the client disconnects. */
function listeners(diary: Diary, signals: WeakRef<AbortSignal>[]): AdapterWorks {
  const waitForAbort = async ({ signal }: HttpRequest): Promise<HttpResponse> => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    diary.write("waits: left");
    return plainResponse("unread");
  };
  return {
    waits: (received) => {
      diary.write("waits: begun");
      return waitForAbort(received);
    },
    "reads-and-waits": async (received) => {
      const bytes = await received.bytes(100, true);
      diary.write(`reads-and-waits: ${new TextDecoder().decode(bytes)}`);
      return waitForAbort(received);
    },
    asks: ({ signal }) => {
      signal.addEventListener("abort", () => diary.write("asks: aborted"));
      signals.push(new WeakRef(signal));
      return plainResponse("asked");
    },
  };
}

function plainResponse(body: NonNullable<HttpResponse["body"]>, status = 200): HttpResponse {
  return { status, headers: plain, body };
}

function readerOf(received: HttpRequest): ReadableStreamDefaultReader<Uint8Array> {
  return received.stream(60 * oneMegabyte).getReader();
}

// Not even the error response can be sent.
const respondBadly = 1 as unknown as string;

/** The same response for every request. */
const responses: AdapterWorks = {
  text: () => ({ status: 200, headers: { ...plain, "X-Request-Id": "1" }, body: "naïve ✓" }),
  bytes: () => ({ status: 201, headers: { "content-type": "image/x" }, body: encodeText("bytes") }),
  stream: () => plainResponse(textStream(["one, ", "", "two"])),
  counted: () => ({ status: 200, headers: { ...plain, "Content-Length": "8" }, body: textStream(["one, ", "two"]) }),
  short: () => ({ status: 200, headers: { ...plain, "content-length": "9" }, body: textStream(["one, ", "two"]) }),
  long: () => ({ status: 200, headers: { ...plain, "content-length": "7" }, body: textStream(["one, ", "two"]) }),
  strings: () => plainResponse(textStream(["one"]).pipeThrough(asText())),
  locked: () => {
    const body = textStream(["one"]);
    body.getReader();
    return plainResponse(body);
  },
  mute: () => plainResponse(new ReadableStream<Uint8Array>()),
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
  early: () => plainResponse("no", 403),
  "early-stream": () => plainResponse(textStream(["n", "o"]), 403),
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
