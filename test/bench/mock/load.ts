import { Agent, request } from "node:http";
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
 * Sends a number of requests, 16 at once, and returns how many a second were answered.
 *
 * @throws Error for a response that is not a success
 */
export async function measureRate(url: string, each: MockedRequest, count: number): Promise<number> {
  let unsent = count;
  const started = performance.now();
  const send = async (): Promise<void> => {
    while (unsent > 0) {
      unsent -= 1;
      const status = await sendRequest(url, each);
      if (status < 200 || status > 299) throw new Error(`${each.method} ${url}${each.path} responds with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  return count / ((performance.now() - started) / 1000);
}
