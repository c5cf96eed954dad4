import { connect } from "node:net";

/** What came back over a socket: nothing at all is the status 0. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends bytes as they are, and reads until the other side closes. Fails where that takes longer than one should wait. */
export function exchange(port: number, bytes: string | Uint8Array, patience = 5000): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const done = (): void => {
      socket.destroy();
      resolve(answerOf(Buffer.concat(chunks)));
    };
    socket.setTimeout(patience, () => socket.destroy(new Error("there was no answer in time")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", done);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses what it has not read to its end resets the connection.
      if (error.code === "ECONNRESET" || error.code === "EPIPE") done();
      else reject(error);
    });
    // Nothing follows: whoever waits for more learns so.
    socket.end(bytes);
  });
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
