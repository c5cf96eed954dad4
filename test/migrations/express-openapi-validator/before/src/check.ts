import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { app } from "./app.js";

const server = http.createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const ada = { authorization: "Bearer t-ada" };
const eve = { authorization: "Bearer t-eve" };
const robot = { "x-api-key": "k-robot" };

interface Answer {
  status: number;
  headers: Headers;
  data: any;
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = ada): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: body === undefined || isForm ? headers : { ...headers, "content-type": "application/json" },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, data: text === "" ? undefined : JSON.parse(text) };
}

async function data(...request: Parameters<typeof send>): Promise<any> {
  const { status, data } = await send(...request);
  assert.ok(status < 300, `${request.join(" ")}: ${status} ${JSON.stringify(data)}`);
  return data;
}

/** What is the same in every rejected request. */
async function rejected(status: number, path: string | undefined, ...request: Parameters<typeof send>): Promise<Answer> {
  const answer = await send(...request);
  assert.equal(answer.status, status, `${request.join(" ")}: ${answer.status} ${JSON.stringify(answer.data)}`);
  assert.deepEqual(Object.keys(answer.data).sort(), ["fields", "kind", "message", "request"]);
  assert.equal(answer.data.kind, "seed bank");
  assert.equal(answer.data.request, `${request[0]} ${request[1].split("?")[0]}`);
  assert.ok(answer.data.message.length > 0);
  if (path !== undefined) assert.ok(Object.keys(answer.data.fields).includes(path), JSON.stringify(answer.data));
  assert.ok(Object.values(answer.data.fields).every((each) => String(each).length > 0));
  return answer;
}

function form(caption: string, bytes: number, type = "image/png"): FormData {
  const fields = new FormData();
  fields.set("caption", caption);
  fields.set("photo", new Blob(["x".repeat(bytes)], { type }), "lentil.png");
  return fields;
}

// What the description does not have
assert.deepEqual(await data("GET", "/health", undefined, {}), { ok: true });
assert.deepEqual(await data("GET", "/v1/internal/x?y=1", undefined, {}), { what: "x" });
const preflight = await fetch(`${url}/v1/seeds`, { method: "OPTIONS", headers: { origin: "https://a.example", "access-control-request-method": "POST" } });
assert.equal(preflight.status, 204);

// Seeds
const lentil = { name: "Lentil", family: "bean", accession: "AB-2026-0007", lot: 1236 };
const added = await send("POST", "/v1/seeds", lentil);
assert.equal(added.status, 201);
assert.deepEqual(added.data, { id: 1, grams: 100, organic: false, ...lentil });
for (const name of ["Rye", "Oat"]) await data("POST", "/v1/seeds", { name, family: "grain", grams: 5, organic: true }, robot);
const listed = await send("GET", "/v1/seeds", undefined, {});
assert.equal(listed.data.length, 3);
assert.equal(listed.headers.get("x-total-count"), "3");
assert.equal(listed.headers.get("access-control-allow-origin"), "*");
assert.deepEqual((await data("GET", "/v1/seeds?limit=1")).map(({ id }: { id: number }) => id), [1]);
assert.deepEqual((await data("GET", "/v1/seeds?limit=1&offset=2")).map(({ id }: { id: number }) => id), [3]);
assert.equal((await data("GET", "/v1/seeds?family=grain&other=1")).length, 2);
assert.equal((await data("GET", "/v1/seeds?organic=true")).length, 2);
assert.equal((await data("GET", "/v1/seeds?organic=false")).length, 1);

assert.equal((await data("GET", "/v1/seeds/2")).name, "Rye");
assert.equal((await send("GET", "/v1/seeds/9")).status, 404);
assert.equal((await data("PATCH", "/v1/seeds/2", { grams: 7 })).grams, 7);
assert.equal((await send("PATCH", "/v1/seeds/9", { grams: 7 })).status, 404);

// Photos
const photo = await send("POST", "/v1/seeds/1/photos", form("A lentil", 12));
assert.equal(photo.status, 201, JSON.stringify(photo.data));
assert.deepEqual(photo.data, { file: "lentil.png", caption: "A lentil", bytes: 12 });
for (const name of ["two", "three"]) await data("POST", "/v1/seeds/1/photos", form(name, 3), robot);
assert.equal((await data("GET", "/v1/seeds/1/photos")).length, 3);
assert.equal((await data("GET", "/v1/seeds/1/photos?limit=2")).length, 2);
await rejected(400, "/body/caption", "POST", "/v1/seeds/1/photos", form("A", 12));
await rejected(404, undefined, "POST", "/v1/seeds/9/photos", form("None", 12));
await rejected(413, undefined, "POST", "/v1/seeds/1/photos", form("Too large", 2_000));
await rejected(415, undefined, "POST", "/v1/seeds/1/photos", { caption: "No form" });
await rejected(401, undefined, "POST", "/v1/seeds/1/photos", form("No key", 12), {});

// Credentials
await rejected(401, undefined, "GET", "/v1/seeds/2", undefined, {});
await rejected(401, undefined, "GET", "/v1/seeds/2", undefined, { authorization: "Bearer t-none" });
await rejected(401, undefined, "GET", "/v1/seeds/2", undefined, { authorization: "Basic YTpi" });
await rejected(401, undefined, "POST", "/v1/seeds", lentil, { "x-api-key": "k-none" });
await rejected(403, undefined, "DELETE", "/v1/seeds/2", undefined, eve);
assert.equal((await data("GET", "/v1/seeds/2", undefined, eve)).name, "Rye");
assert.equal((await send("DELETE", "/v1/seeds/2")).status, 204);
assert.equal((await data("GET", "/v1/seeds")).length, 2);

// Loans
assert.deepEqual(await data("GET", "/v1/loans/Ada?since=2026-01-02"), { grams: 2026 });
const before = await data("GET", "/v1/metrics", undefined, {});
assert.deepEqual(await data("GET", "/v1/loans/unknown?since=2026-01-02"), { grams: "many" });
const after = await data("GET", "/v1/metrics", undefined, {});
assert.deepEqual(after.requests, { listSeeds: 7, getLoans: 2, "removeSeed by Ada": 1 });
assert.equal(after.invalidResponses, before.invalidResponses + 1);
const broken = await send("GET", "/v1/loans/broken?since=2026-01-02");
assert.deepEqual([broken.status, broken.data.message], [500, "Something is broken."]);

// Requests that are not valid
await rejected(400, "/query/limit", "GET", "/v1/seeds?limit=0");
await rejected(400, "/query/family", "GET", "/v1/seeds?family=rock");
// 400 with one tool, 404 with another: a path parameter that is not valid names nothing.
assert.match(String((await send("GET", "/v1/seeds/x")).status), /^40[04]$/);
await rejected(400, "/query/since", "GET", "/v1/loans/Ada");
await rejected(400, "/body/family", "POST", "/v1/seeds", { name: "Lentil" });
await rejected(400, "/body/accession", "POST", "/v1/seeds", { ...lentil, accession: "AB-1" });
await rejected(400, "/body/lot", "POST", "/v1/seeds", { ...lentil, lot: 1237 });
await rejected(400, "/body/colour", "POST", "/v1/seeds", { ...lentil, colour: "red" });
await rejected(404, "/v1/nothing", "GET", "/v1/nothing");
const notAllowed = await rejected(405, undefined, "PUT", "/v1/seeds", {});
assert.match(notAllowed.headers.get("allow") ?? "", /POST/);

console.log("the seed bank is in order");
server.close();
