import { connect, type Socket } from "node:net";

/** A response as it arrived. */
export interface RawHttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes, one write for each chunk, and reads one response. */
export function sendRaw(port: number, pieces: readonly (string | Uint8Array)[]): Promise<RawHttpResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = Buffer.alloc(0);
    const finish = (response: RawHttpResponse): void => {
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
      const response = parseReply(received, true);
      if (response === undefined) reject(error);
      else resolve(response);
    });
    socket.setNoDelay(true);
    void writeApart(socket, pieces);
  });
}

/** Writes chunks, each after the server of this process has had the time to read the one before. */
async function writeApart(socket: Socket, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }
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
