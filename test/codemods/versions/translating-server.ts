import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import type { NextVersion, TranslatedRequest } from "./next-version.js";

type Validate = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => unknown;

/**
 * Serves the next version of our API until the test ends: the validator that is generated from its description checks each request, which is
 * then translated for the service with this version.
 *
 * @param packages the folder with the generated packages
 * @returns the URL of the API
 */
export async function serveNextVersion(packages: string, service: string, next: NextVersion): Promise<string> {
  const module = pathToFileURL(path.join(packages, "validator/dist/gen/node.js")).href;
  const { validator } = (await import(/* @vite-ignore */ module)) as {
    readonly validator: (options: object) => Validate;
  };
  const validate = validator({ basePath: "/v4", unknown: "reject", acceptParsedBody: true });
  const respond = async (request: ParsedRequest, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    // The validator adds defaults to what it validates; the service gets what was sent.
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    request.body = structuredClone(body);
    await new Promise<void>((resolve, reject) => {
      validate(request, response, (error) => {
        if (error === undefined || error === null) resolve();
        else reject(new Error("The validator has failed.", { cause: error }));
      });
      response.on("close", resolve);
    });
    if (!response.headersSent) await forward(request, response, { body, service, next });
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((cause: unknown) => {
      response.writeHead(500).end(String(cause));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
}

interface ParsedRequest extends IncomingMessage {
  body?: unknown;
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { body, service, next }: { readonly body: unknown; readonly service: string; readonly next: NextVersion },
): Promise<void> {
  const sent: TranslatedRequest = next.toOld({
    method: request.method ?? "GET",
    url: new URL((request.url ?? "").replace(/^\/v4/, service)),
    headers: { authorization: request.headers.authorization ?? "" },
    body,
  });
  const received = await fetch(sent.url, {
    method: sent.method,
    headers: { ...sent.headers, ...(sent.body !== undefined && { "content-type": "application/json" }) },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
  const content = await received.text();
  const type = received.headers.get("content-type") ?? "";
  response.writeHead(received.status, { "content-type": type });
  response.end(type.includes("json") ? JSON.stringify(next.toNew(JSON.parse(content))) : content);
}
