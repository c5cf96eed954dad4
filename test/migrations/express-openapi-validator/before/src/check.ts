import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { app } from "./app.js";

const server = http.createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; data: any }> {
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, data: text === "" ? undefined : JSON.parse(text) };
}

/** What is the same in every rejected request. */
async function rejected(status: number, path: string | undefined, ...request: Parameters<typeof send>): Promise<void> {
  const { status: actual, data } = await send(...request);
  assert.equal(actual, status, JSON.stringify(data));
  assert.deepEqual(Object.keys(data).sort(), ["errors", "kind", "message"]);
  assert.equal(data.kind, "seed bank");
  assert.ok(data.message.length > 0);
  if (path !== undefined) assert.equal(data.errors[0].path, path);
  assert.ok(data.errors.every((each: { message: string }) => each.message.length > 0));
}

assert.deepEqual(await send("GET", "/health"), { status: 200, data: { ok: true } });
assert.deepEqual(await send("GET", "/v1/internal/x?y=1"), { status: 200, data: { what: "x" } });

assert.deepEqual(await send("POST", "/v1/seeds", { name: "Lentil", family: "bean" }), {
  status: 201,
  data: { id: 1, name: "Lentil", family: "bean", grams: 100, organic: false },
});
for (const name of ["Rye", "Oat"]) await send("POST", "/v1/seeds", { name, family: "grain", grams: 5, organic: true });
assert.equal((await send("GET", "/v1/seeds")).data.length, 3);
assert.deepEqual((await send("GET", "/v1/seeds?limit=1")).data.map(({ id }: { id: number }) => id), [1]);
assert.equal((await send("GET", "/v1/seeds?family=grain&other=1")).data.length, 2);
assert.equal((await send("GET", "/v1/seeds?organic=true")).data.length, 2);
assert.equal((await send("GET", "/v1/seeds?organic=false")).data.length, 1);

assert.equal((await send("GET", "/v1/seeds/2")).data.name, "Rye");
assert.equal((await send("GET", "/v1/seeds/9")).status, 404);
assert.equal((await send("PATCH", "/v1/seeds/2", { grams: 7 })).data.grams, 7);
assert.equal((await send("PATCH", "/v1/seeds/9", { grams: 7 })).status, 404);
assert.equal((await send("DELETE", "/v1/seeds/2")).status, 204);
assert.equal((await send("GET", "/v1/seeds")).data.length, 2);
assert.deepEqual((await send("GET", "/v1/loans/Ada?since=2026-01-02")).data, { grams: 2026 });

await rejected(400, "/query/limit", "GET", "/v1/seeds?limit=0");
await rejected(400, "/query/family", "GET", "/v1/seeds?family=rock");
// 400 with one tool, 404 with another: a path parameter that is not valid names nothing.
assert.match(String((await send("GET", "/v1/seeds/x")).status), /^40[04]$/);
await rejected(400, "/query/since", "GET", "/v1/loans/Ada");
await rejected(400, "/body/family", "POST", "/v1/seeds", { name: "Lentil" });
await rejected(400, "/body/colour", "POST", "/v1/seeds", { name: "Lentil", family: "bean", colour: "red" });
await rejected(404, undefined, "GET", "/v1/nothing");
await rejected(405, undefined, "PUT", "/v1/seeds", {});
assert.equal((await send("GET", "/v1/loans/unknown?since=2026-01-02")).status, 500);

console.log("the seed bank is in order");
server.close();
