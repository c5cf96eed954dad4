import { Agent, request } from "node:http";
import { connect } from "node:net";
import type { MockedRequest } from "./descriptions.js";

const connections = 16;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

/** Sends a request, reads its response, and returns the status. */
export async function sendRequest(url: string, { method, path, body }: MockedRequest): Promise<number> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    Accept: "application/json",
    Authorization: "Bearer any",
    ...(text === "" ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    });
    sent.once("error", reject);
    sent.end(text);
  });
}

/**
 * Sends a number of requests, 16 at once, and returns how many a second were answered. It speaks HTTP on sockets, since Node's client would take longer
 * for a request than the mock.
 *
 * @throws Error for a response that is not a success
 */
export async function measureRate(url: string, each: MockedRequest, count: number): Promise<number> {
  const { hostname, port, pathname } = new URL(`${url}${each.path}`);
  const bytes = formatRequest(each, {
    host: `${hostname}:${port}`,
    target: url.slice(new URL(url).origin.length) + each.path,
  });
  let unsent = count;
  const started = performance.now();
  const send = async (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname).setNoDelay().setEncoding("latin1");
      let received = "";
      const next = (): void => {
        if (unsent === 0) return void socket.end(resolve);
        unsent -= 1;
        received = "";
        socket.write(bytes);
      };
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("data", (text: string) => {
        received += text;
        if (!isComplete(received)) return;
        if (received.startsWith("HTTP/1.1 2")) return next();
        socket.destroy();
        reject(new Error(`${each.method} ${pathname} responds with ${received}`));
      });
    });
  await Promise.all(Array.from({ length: connections }, send));
  return count / ((performance.now() - started) / 1000);
}

function formatRequest(
  { method, body }: MockedRequest,
  { host, target }: { readonly host: string; readonly target: string },
): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const content = text === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  const head = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nAuthorization: Bearer any\r\n`;
  return `${head}${content}\r\n${text}`;
}

/** Whether a response is complete: of a declared length, in chunks, or without a body. */
function isComplete(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = received.slice(0, end + 2);
  const length = /\r\ncontent-length: (\d+)\r/i.exec(head)?.[1];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  return /\r\ntransfer-encoding: chunked\r/i.test(head) ? received.endsWith("\r\n0\r\n\r\n") : true;
}
