import type http from "node:http";
import { Server, type AddressInfo, type Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

/** A server, and how it ends. */
export interface Listening {
  readonly address: string;
  /** Stops accepting, and answers what is in flight within 10 seconds. */
  close(): Promise<void>;
}

/** Listens; port 0 is a free one. Rejects when the address cannot be had. */
export async function listen(
  server: http.Server,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const answering = new Set<http.ServerResponse>();
  let isClosing = false;
  // Before whatever answers, which may do so at once.
  server.prependListener("request", (_request, response) => {
    if (isClosing) lastOfItsConnection(response);
    answering.add(response);
    response.once("close", () => answering.delete(response));
  });
  server.on("clientError", refuseWhatIsNotHttp);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  return {
    address: `http://${host}:${port}`,
    close: async () => {
      isClosing = true;
      for (const response of answering) lastOfItsConnection(response);
      // The close of `http` would also end connections on which a request has come that is not read yet, for these count as idle. It is read first.
      const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
      await setTimeout(underWay);
      await setImmediate();
      server.close();
      const hasLanded = new AbortController();
      const late = setTimeout(longestFlight, undefined, hasLanded).then(
        () => server.closeAllConnections(),
        () => {},
      );
      await closed;
      hasLanded.abort();
      await late;
    },
  };
}

/** A connection that goes on would bring more requests, of which the last would be cut off. */
function lastOfItsConnection(response: http.ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/** What cannot be read as a request never gets to the API, and is refused in the body of the API's own errors. */
function refuseWhatIsNotHttp(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason } = refusals[error.code ?? ""] ?? notHttp;
  const body = JSON.stringify({ errors: [{ reason }] });
  const head = ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"];
  socket.end([`HTTP/1.1 ${status}`, ...head, "", body].join("\r\n"));
}

interface Refusal {
  readonly status: string;
  readonly reason: string;
}

const notHttp: Refusal = { status: "400 Bad Request", reason: "This is no HTTP request" };

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    reason: "The path and the headers are too long",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", reason: "Please try again" },
};

/** Milliseconds. */
const longestFlight = 10_000;
const underWay = 20;
