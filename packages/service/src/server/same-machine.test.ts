import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start } from "../testing.support.js";

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly chunked?: boolean;
}

/** Sends a request with exactly these headers, and the `Host` of the address. */
async function send(to: string, { method = "POST", headers = {}, body, chunked = false }: Sent): Promise<number> {
  const length = body === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const encoding = chunked ? { "transfer-encoding": "chunked" } : {};
  const sending = httpRequest(to, { method, headers: { ...length, ...encoding, ...headers } });
  sending.end(body);
  const [response] = await once(sending, "response");
  await text(response);
  return response.statusCode;
}

test("a web page cannot reset the service, and cannot read or create anything with the test controls", async () => {
  const { service, admin } = await start();
  const controls = service.controls ?? "";
  await api.createTag(admin, { body: { label: "kept" } });
  const ofPages = [
    { origin: "https://pages.example" },
    { origin: "null" },
    { origin: controls },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { host: "pages.example" },
    { host: "127.0.0.1.pages.example" },
    { host: "localhost.pages.example:80" },
    { host: "10.0.0.1" },
  ];
  for (const headers of ofPages) {
    expect([headers, await send(`${controls}/reset`, { headers })]).toEqual([headers, 403]);
    expect([headers, await send(`${controls}/clock`, { method: "GET", headers })]).toEqual([headers, 403]);
    const body = JSON.stringify({ scopes: "*" });
    const json = { ...headers, "content-type": "application/json" };
    expect(await send(`${controls}/users/admin/tokens`, { headers: json, body })).toBe(403);
    expect(await send(`${controls}/reset`, { method: "OPTIONS", headers })).toBe(403);
  }
  expect((await api.listTags(admin)).data).toEqual([{ label: "kept" }]);
});

test("the test controls accept only JSON, also for operations without a body", async () => {
  const { service, admin } = await start();
  const controls = service.controls ?? "";
  await api.createTag(admin, { body: { label: "kept" } });
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", undefined];
  for (const type of types) {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    for (const chunked of [false, true]) {
      expect(await send(`${controls}/reset`, { headers, body: "{}", chunked })).toBe(415);
      expect(await send(`${controls}/clock`, { method: "GET", headers, body: "{}", chunked })).toBe(415);
      expect(await send(`${controls}/hold`, { headers, body: '{"hold":false}', chunked })).toBe(415);
    }
  }
  expect((await api.listTags(admin)).data).toEqual([{ label: "kept" }]);
});

test("programs call the test controls without a secret, and with an empty body of any type", async () => {
  const { service } = await start();
  const controls = service.controls ?? "";
  const { port } = new URL(controls);
  const ofPrograms = [
    {},
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin" },
    { host: `localhost:${port}` },
    { host: `127.0.0.1:${port}` },
    { host: "[::1]:8081" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
  ];
  for (const headers of ofPrograms) {
    expect([headers, await send(`${controls}/reset`, { headers })]).toEqual([headers, 204]);
    expect(await send(`${controls}/reset`, { headers, body: "" })).toBe(204);
    expect(await send(`${controls}/settle`, { headers, body: "", chunked: true })).toBe(200);
    expect(await send(`${controls}/clock`, { method: "GET", headers })).toBe(200);
  }
  const json = { "content-type": "application/json; charset=utf-8" };
  for (const chunked of [false, true])
    expect(await send(`${controls}/hold`, { headers: json, body: '{"hold":false}', chunked })).toBe(200);
});
