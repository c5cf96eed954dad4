import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";

/** The response of a socket; without any bytes, the status is 0. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Patience {
  /** Ends the sending side after a delay, for bytes that may be an incomplete request. */
  readonly ends?: boolean;
}

/** Sends bytes unchanged, and reads until the other side closes. */
export function exchange(port: number, bytes: string | Uint8Array, { ends = false }: Patience = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const done = (): void => {
      socket.destroy();
      resolve(answerOf(Buffer.concat(chunks)));
    };
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", done);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that rejects a request before its end resets the connection.
      if (error.code === "ECONNRESET" || error.code === "EPIPE") return done();
      reject(error);
    });
    socket.write(bytes, () => {
      if (ends) void turns(readWithin).then(() => socket.end());
    });
  });
}

/** Turns of the event loop after which a server of this process has read its input and sent its response. */
const readWithin = 100;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

/** A request as text, closed after its answer. */
export function requestOf(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n");
}

/** The same with a JSON body. */
export function jsonRequestOf(line: string, value: unknown): string {
  const body = JSON.stringify(value);
  const headers = ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return requestOf(line, headers, body);
}

function answerOf(bytes: Buffer): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString("latin1");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const rest = end === -1 ? "" : bytes.subarray(end + 4).toString("utf8");
  if (status === 100) return answerOf(bytes.subarray(end + 4));
  const isChunked = /^transfer-encoding: chunked$/im.test(head);
  return { status, body: isChunked ? rest.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, "").replace(/\r\n$/, "") : rest };
}
