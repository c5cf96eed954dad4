import type { Server } from "node:http";
import type { Duplex } from "node:stream";

/** Answers what is no request as every failure is answered: by itself Node sends a status and nothing else. */
export function answerUnread(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Of a connection that is gone nobody reads anything.
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, reason] = answers[error.code ?? ""] ?? ["400 Bad Request", "The request is no HTTP"];
    const body = JSON.stringify({ errors: [{ reason }] });
    const lines = [
      `HTTP/1.1 ${status}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(status.startsWith("408") ? ["Retry-After: 5"] : []),
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  });
}

/** Status and reason, by Node's codes of what went wrong. */
const answers: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "Please try again"],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are larger than the service reads"],
};
