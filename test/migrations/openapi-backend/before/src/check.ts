import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { app } from "./app.js";

const server = http.createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function send(method: string, path: string, body?: unknown, headers = {}): Promise<{ status: number; data: any }> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, data: text === "" ? undefined : JSON.parse(text) };
}

assert.deepEqual(await send("POST", "/tools", { name: "Fox", kind: "saw" }), { status: 201, data: { id: 1, name: "Fox", kind: "saw" } });
assert.equal((await send("POST", "/tools", { name: "Tall", kind: "ladder" })).status, 201);
assert.deepEqual(await send("POST", "/tools", { name: "Fox", kind: "saw" }), { status: 409, data: { status: 409, reason: "there is one" } });
assert.equal((await send("GET", "/tools")).data.length, 2);
assert.deepEqual((await send("GET", "/tools?kind=ladder")).data.map(({ name }: { name: string }) => name), ["Tall"]);
assert.equal((await send("GET", "/tools?limit=1")).data.length, 1);
assert.deepEqual((await send("GET", "/tools/1")).data, { id: 1, name: "Fox", kind: "saw" });
assert.deepEqual(await send("GET", "/tools/7"), { status: 404, data: { status: 404, reason: "no such tool" } });

const ada = { "X-Neighbour": "Ada" };
assert.deepEqual((await send("PUT", "/tools/1/loan", { days: 3 }, ada)).data, { toolId: 1, neighbour: "Ada", days: 3 });
assert.equal((await send("PUT", "/tools/1/loan", { days: 4 }, ada)).data.days, 4);
assert.deepEqual(await send("PUT", "/tools/1/loan", { days: 3 }, { "X-Neighbour": "Bob" }), { status: 409, data: { status: 409, reason: "lent to Ada" } });
assert.equal((await send("PUT", "/tools/9/loan", { days: 3 }, ada)).status, 404);
assert.equal((await send("DELETE", "/tools/2")).status, 204);
assert.equal((await send("GET", "/tools")).data.length, 1);

for (const [method, path, body, headers] of [
  ["GET", "/tools?kind=spoon", undefined, {}],
  ["POST", "/tools", { name: "Fox" }, {}],
  ["POST", "/tools", { name: "Fox", kind: "saw", colour: "red" }, {}],
  ["PUT", "/tools/1/loan", { days: 31 }, ada],
  ["PUT", "/tools/1/loan", { days: 3 }, {}],
] as const) {
  const { status, data } = await send(method, path, body, headers);
  assert.equal(status, 400, `${method} ${path}`);
  assert.equal(data.status, 400);
  assert.equal(data.reason, "not valid");
  assert.ok(data.errors.length > 0 && data.errors.every((each: { message: string }) => each.message.length > 0));
}
assert.deepEqual(await send("GET", "/nothing"), { status: 404, data: { status: 404, reason: "not found" } });
assert.equal((await fetch(`${url}/tools`)).headers.get("x-shed"), "1");

console.log("the tool shed is in order");
server.close();
