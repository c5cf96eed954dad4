import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as api from "@cloud-compute/client";
import { onTestFinished } from "vitest";
import { keep, type RecordedResponse } from "../../recorded-responses.support.js";
import { start, type World } from "../../testing.support.js";

export const megabyte = 1_048_576;

/** A service with a folder for uploads that the test can read. */
export async function beginUpload(
  args: readonly string[] = [],
): Promise<World & { files(): string[]; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-uploads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const world = await start(["--upload-dir", folder, ...args]);
  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name));
  return { ...world, files, folder };
}

export async function ticket(
  { admin }: Pick<World, "admin">,
  label = "sent",
): Promise<{ readonly address: string; readonly id: string }> {
  const { image, upload_to } = await api.uploadImage(admin, { body: { label, region: "us-east" } });
  return { address: upload_to, id: image.id };
}

/** Sends data as curl does. Returns the status and the reasons. */
export async function put(
  address: string,
  body: Buffer | Readable,
  headers: Readonly<Record<string, string | number>> = {},
): Promise<Answer> {
  const request = http.request(address, {
    method: "PUT",
    headers: { "Content-Type": "application/octet-stream", ...headers },
  });
  const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
  // A response before the end of the request closes the connection. Only the response matters.
  request.on("error", () => {});
  (body instanceof Readable ? body : Readable.from([body])).pipe(request);
  const [response] = await answered;
  return answerOf(response);
}

/** Starts an upload that ends when the test ends it. */
export function sendSlowly(
  address: string,
  data: Buffer,
): { readonly half: Promise<void>; end(): Promise<Answer>; cut(): void } {
  const half = Math.floor(data.length / 2);
  const request = http.request(address, {
    method: "PUT",
    headers: { "Content-Type": "application/octet-stream", "Content-Length": data.length },
  });
  request.on("error", () => {});
  const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
  answered.catch(() => {});
  return {
    half: new Promise((resolve) => request.write(data.subarray(0, half), () => resolve())),
    end: async () => {
      request.end(data.subarray(half));
      const [response] = await answered;
      return answerOf(response);
    },
    cut: () => request.destroy(),
  };
}

/** The status and the body of a response to an upload. */
export async function answerOf(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const status = response.statusCode ?? 0;
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Partial<Pick<RecordedResponse, "errors">>;
  keep({ method: "PUT", path: "/uploads/0", status, hadToken: false, errors: body.errors ?? [] });
  return [status, body];
}

export type Answer = readonly [status: number, body: unknown];
