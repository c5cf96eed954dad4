import { connect } from "node:net";

/** A response as it arrived. */
export interface RawHttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes, one write for each chunk, and reads one response. */
export function sendRaw(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  patience = 5000,
): Promise<RawHttpResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(new Error("no response in time")), patience);
    const finish = (response: RawHttpResponse): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(response);
    };
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const response = parseReply(received, false);
      if (response !== undefined) finish(response);
    });
    socket.on("end", () => {
      const response = parseReply(received, true);
      if (response !== undefined) finish(response);
      else socket.destroy(new Error("the response is incomplete"));
    });
    socket.on("error", (error) => {
      clearTimeout(timer);
      const response = parseReply(received, true);
      if (response === undefined) reject(error);
      else resolve(response);
    });
    socket.setNoDelay(true);
    const [first = "", ...others] = pieces;
    socket.write(first);
    // A pause between chunks, so that they arrive separately.
    for (const [index, piece] of others.entries()) setTimeout(() => socket.write(piece), 10 * (index + 1));
  });
}

/** The text of a request, with Host and, if there is a body, its length. */
export function request(line: string, headers: readonly string[] = [], body?: string | Uint8Array): Uint8Array {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const length = bytes === undefined ? [] : [`Content-Length: ${bytes.length}`];
  const head = [`${line} HTTP/1.1`, "Host: localhost", ...headers, ...length, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes ?? Buffer.alloc(0)]);
}

function parseReply(bytes: Buffer, isOver: boolean): RawHttpResponse | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(first.split(" ")[1]);
  // 100 Continue
  if (status < 200) return parseReply(bytes.subarray(end + 4), isOver);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = bytes.subarray(end + 4);
  const body = bodyOf(rest, headers, isOver);
  return body === undefined ? undefined : { status, headers, body };
}

function bodyOf(rest: Buffer, headers: Readonly<Record<string, string>>, isOver: boolean): string | undefined {
  const length = headers["content-length"];
  if (length !== undefined) {
    return isOver || rest.length >= Number(length) ? rest.subarray(0, Number(length)).toString() : undefined;
  }
  if (headers["transfer-encoding"] !== "chunked") return isOver ? rest.toString() : undefined;
  if (!rest.includes("0\r\n\r\n")) return undefined;
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, line).toString(), 16);
    if (size === 0) return Buffer.concat(chunks).toString();
    chunks.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
