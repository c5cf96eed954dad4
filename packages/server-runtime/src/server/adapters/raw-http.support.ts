import { connect, type Socket } from "node:net";

/** A response as it arrived. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection, on which bytes are sent and responses are read one after the other. */
export interface RawConnection {
  readonly socket: Socket;
  send(...pieces: readonly (string | Uint8Array)[]): void;
  /** The next response. Rejects if the connection ends before it is complete. */
  answer(method?: "HEAD"): Promise<RawResponse>;
  /** The bytes that are not a complete response yet, as soon as there are some. */
  begin(): Promise<string>;
  readonly closed: Promise<void>;
}

export function connectRaw(port: number): RawConnection {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let come = Buffer.alloc(0);
  let isClosed = false;
  let wake = (): void => {};
  socket.on("data", (bytes: Buffer) => {
    come = Buffer.concat([come, bytes]);
    wake();
  });
  // A connection that the other side resets is closed, too.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (isClosed) throw new Error(`closed after ${JSON.stringify(come.toString().slice(0, 500))}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    socket,
    closed,
    send: (...pieces) => {
      for (const piece of pieces) socket.write(piece);
    },
    begin: () => until(() => (come.length > 0 ? come.toString() : undefined)),
    answer: (method) =>
      until(() => {
        const found = read(come, method === "HEAD");
        if (found !== undefined) come = come.subarray(found.end);
        return found?.answer;
      }),
  };
}

/** The text of a request: `request("POST /v4/echo", "abc")`. */
export function request(line: string, body?: string, ...headers: readonly string[]): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[`${line} HTTP/1.1`, "Host: localhost", ...headers, ...length].join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** The head of a request whose body is sent in chunks. */
export function head(line: string, ...headers: readonly string[]): string {
  return request(line, undefined, ...headers);
}

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

interface Read {
  readonly answer: RawResponse;
  readonly end: number;
}

function read(bytes: Buffer, isHead: boolean): Read | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(first.split(" ")[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const start = end + 4;
  if (isHead || status < 200 || status === 204 || status === 304) {
    return { answer: { status, headers, body: "" }, end: start };
  }
  if (headers["content-length"] === undefined) return readChunks(bytes, { status, headers, start });
  const last = start + Number(headers["content-length"]);
  if (bytes.length < last) return undefined;
  return { answer: { status, headers, body: bytes.subarray(start, last).toString() }, end: last };
}

interface Head extends Omit<RawResponse, "body"> {
  readonly start: number;
}

function readChunks(bytes: Buffer, { status, headers, start }: Head): Read | undefined {
  if (headers["transfer-encoding"] !== "chunked") throw new Error(`no end is said: ${JSON.stringify(headers)}`);
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const line = bytes.indexOf("\r\n", at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16);
    const next = line + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { answer: { status, headers, body: Buffer.concat(chunks).toString() }, end: next };
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = next;
  }
}
