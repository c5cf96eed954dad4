import { expect, it, onTestFinished } from "vitest";
import { startMock, type RunningMock } from "../support/mock-process.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";

/** Starts a mock of a description, which ends with the test. */
async function mockOf(description: object): Promise<RunningMock> {
  const folder = await temporaryFolder();
  await place(folder, { "openapi.json": JSON.stringify(description) });
  const mock = await startMock(folder, ["openapi.json"]);
  onTestFinished(async () => void (await mock.end()));
  return mock;
}

/** Sends a request. Returns the status, and the body if there is one. */
async function send(mock: RunningMock, request: string, body?: object): Promise<readonly unknown[]> {
  const [method = "", target = ""] = request.split(" ");
  const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${mock.url}${target}`, { method, ...(body === undefined ? {} : json) });
  const text = await response.text();
  return text === "" || !response.ok ? [response.status] : [response.status, JSON.parse(text)];
}

const info = { title: "Boats", version: "1" };
const states = ["moored", "sailing"];
const boat = {
  type: "object",
  required: ["name"],
  properties: {
    id: { type: "integer", format: "int64" },
    name: { type: "string" },
    state: { type: "string", enum: states },
  },
};
const sailor = {
  type: "object",
  properties: { id: { type: "integer" }, login: { type: "string" }, age: { type: "integer" } },
};

/** An API that documents no success of its changes, as many of Swagger 2.0 do. */
function boats(version: "2.0" | "3.1.0"): object {
  const isOld = version === "2.0";
  const ref = (name: string): object => ({ $ref: `#/${isOld ? "definitions" : "components/schemas"}/${name}` });
  const ok = (schema: object): object => ({
    description: "Found",
    ...(isOld ? { schema } : { content: { "application/json": { schema } } }),
  });
  const parameter = (where: object, schema: object): object => ({
    ...where,
    required: true,
    ...(isOld ? schema : { schema }),
  });
  const path = (name: string, type: string): object => parameter({ in: "path", name }, { type });
  const none = { description: "None" };
  const sent = (name: string): object =>
    isOld
      ? { parameters: [{ in: "body", name: "body", required: true, schema: ref(name) }] }
      : { requestBody: { required: true, content: { "application/json": { schema: ref(name) } } } };
  const state = parameter({ in: "query", name: "state" }, { type: "array", items: { type: "string", enum: states } });
  const paths = {
    "/boat": {
      post: { operationId: "addBoat", ...sent("Boat"), responses: { 405: none } },
      put: { operationId: "changeBoat", ...sent("Boat"), responses: { 404: none } },
    },
    "/boat/findByState": {
      get: {
        operationId: "findBoats",
        parameters: [state],
        responses: { 200: ok({ type: "array", items: ref("Boat") }) },
      },
    },
    "/boat/{boatId}": {
      parameters: [path("boatId", "integer")],
      get: { operationId: "getBoat", responses: { 200: ok(ref("Boat")), 404: none } },
      delete: { operationId: "deleteBoat", responses: { 404: none } },
    },
    "/sailor": { post: { operationId: "addSailor", ...sent("Sailor"), responses: { default: none } } },
    "/sailor/{login}": {
      parameters: [path("login", "string")],
      get: { operationId: "getSailor", responses: { 200: ok(ref("Sailor")), 404: none } },
    },
  };
  const schemas = { Boat: boat, Sailor: sailor };
  return isOld
    ? {
        swagger: version,
        info,
        host: "boats.example",
        produces: ["application/json"],
        consumes: ["application/json"],
        paths,
        definitions: schemas,
      }
    : { openapi: version, info, servers: [{ url: "https://boats.example" }], paths, components: { schemas } };
}

it.each(["2.0", "3.1.0"] as const)("keeps what it is sent where OpenAPI %s documents no success", async (version) => {
  const mock = await mockOf(boats(version));
  const argo = { id: 12, name: "Argo", state: "moored" };
  expect(await send(mock, "GET /boat/12")).toEqual([404]);
  expect(await send(mock, "POST /boat", argo)).toEqual([204]);
  expect(await send(mock, "POST /boat", { name: "Bounty", state: "sailing" })).toEqual([204]);
  expect(await send(mock, "GET /boat/12")).toEqual([200, argo]);
  expect(await send(mock, "GET /boat/findByState?state=moored")).toEqual([200, [argo]]);
  expect(await send(mock, "PUT /boat", { ...argo, state: "sailing" })).toEqual([204]);
  expect(await send(mock, "PUT /boat", { ...argo, id: 13 })).toEqual([404]);
  expect(await send(mock, "GET /boat/12")).toEqual([200, { ...argo, state: "sailing" }]);
  // The same boat again replaces the first, so that one deletion is enough.
  expect(await send(mock, "POST /boat", argo)).toEqual([204]);
  expect(await send(mock, "DELETE /boat/12")).toEqual([204]);
  expect(await send(mock, "GET /boat/12")).toEqual([404]);
  expect(await send(mock, "GET /sailor/ann")).toEqual([404]);
  expect((await send(mock, "POST /sailor", { login: "ann", age: 30 }))[0]).toBe(200);
  expect(await send(mock, "GET /sailor/ann")).toEqual([200, { login: "ann", age: 30 }]);
});

it.each(["/boats", "/boats/"])("keeps the boats of %s", async (collection) => {
  const of = (schema: object): object => ({ description: "Done", content: { "application/json": { schema } } });
  const requestBody = { required: true, content: { "application/json": { schema: boat } } };
  const member = {
    parameters: [{ in: "path", name: "boat_id", required: true, schema: { type: "integer" } }],
    get: { operationId: "getBoat", responses: { 200: of(boat), 404: { description: "None" } } },
    put: { operationId: "changeBoat", requestBody, responses: { 200: of(boat), 404: { description: "None" } } },
    delete: { operationId: "deleteBoat", responses: { 204: { description: "Done" } } },
  };
  const listed = {
    get: { operationId: "getBoats", responses: { 200: of({ type: "array", items: boat }) } },
    post: { operationId: "addBoat", requestBody, responses: { 201: of(boat) } },
  };
  for (const item of ["/boats/{boat_id}", "/boats/{boat_id}/"]) {
    const mock = await mockOf({ openapi: "3.1.0", info, paths: { [collection]: listed, [item]: member } });
    const path = item.replace("{boat_id}", "12");
    const argo = { id: 12, name: "Argo" };
    expect(await send(mock, `GET ${path}`)).toEqual([404]);
    expect(await send(mock, `POST ${collection}`, argo)).toMatchObject([201, argo]);
    expect(await send(mock, `GET ${path}`)).toMatchObject([200, argo]);
    expect(await send(mock, `GET ${collection}`)).toMatchObject([200, [argo]]);
    expect(await send(mock, `PUT ${path}`, { id: 12, name: "Bounty" })).toMatchObject([200, { name: "Bounty" }]);
    expect(await send(mock, `GET ${collection}`)).toMatchObject([200, [{ name: "Bounty" }]]);
    expect(await send(mock, `DELETE ${path}`)).toEqual([204]);
    expect(await send(mock, `GET ${collection}`)).toEqual([200, []]);
  }
});

it("shows what it was sent in the types that responses have", async () => {
  const of = (schema: object): object => ({ description: "Done", content: { "application/json": { schema } } });
  const price = { anyOf: [{ type: "number" }, { type: "string", pattern: "^\\d+$" }] };
  const body = (properties: object): object => ({ required: true, ...of({ type: "object", properties }) });
  const shown = {
    type: "object",
    required: ["id", "price"],
    properties: {
      id: { type: "integer" },
      price: { type: "string" },
      size: { type: "integer" },
      note: { type: "string" },
    },
  };
  const sent = { price, size: { type: ["string", "integer"] }, note: { type: ["string", "object", "null"] } };
  const mock = await mockOf({
    openapi: "3.1.0",
    info,
    paths: {
      "/boats": { post: { operationId: "addBoat", requestBody: body(sent), responses: { 201: of(shown) } } },
      "/boats/{boat_id}": {
        parameters: [{ in: "path", name: "boat_id", required: true, schema: { type: "integer" } }],
        get: { operationId: "getBoat", responses: { 200: of(shown) } },
        patch: { operationId: "changeBoat", requestBody: body(sent), responses: { 200: of(shown) } },
      },
    },
  });
  const [status, made] = await send(mock, "POST /boats", { price: 20, size: "3", note: "new" });
  expect([status, made]).toEqual([201, { id: 1, price: "20", size: 3, note: "new" }]);
  expect(await send(mock, "PATCH /boats/1", { price: 2.5 })).toMatchObject([200, { price: "2.5", size: 3 }]);
  expect((await send(mock, "PATCH /boats/1", { note: { a: 1 } }))[1]).not.toHaveProperty("note.a");
  expect(await send(mock, "GET /boats/1")).toMatchObject([200, { price: "2.5" }]);
});

const content = (schema: object, mediaType = "application/json"): object => ({
  description: "Documented",
  content: { [mediaType]: { schema } },
});

function withOperation(operation: object): object {
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "https://boats.example" }],
    paths: { "/boats": { post: operation } },
  };
}

it("says in a header and in the log why it rejects, where the documented body cannot", async () => {
  const requestBody = { required: true, content: { "application/json": { schema: boat } } };
  const code = { type: "object", required: ["code"], properties: { code: { type: "string", enum: ["E1", "E2"] } } };
  const mock = await mockOf(
    withOperation({ operationId: "addBoat", requestBody, responses: { 201: content(boat), 400: content(code) } }),
  );
  const response = await fetch(`${mock.url}/boats`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: "https://page.example" },
    body: JSON.stringify({ id: "é" }),
  });
  expect([response.status, await response.json()]).toEqual([400, { code: "E1" }]);
  const reason = "id must be an integer; name is required";
  expect(response.headers.get("Plumbline-Mock-Reason")).toBe(reason);
  expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Plumbline-Mock-Reason");
  await mock.end();
  expect(mock.lines.at(-1)).toMatch(new RegExp(`POST +/boats +400 +addBoat .*${reason}$`));
});

it("says nothing in a header where the body has the reason", async () => {
  const requestBody = { required: true, content: { "application/json": { schema: boat } } };
  const mock = await mockOf(withOperation({ operationId: "addBoat", requestBody, responses: { 201: content(boat) } }));
  const response = await fetch(`${mock.url}/boats`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  expect([response.status, await response.json()]).toMatchObject([400, { detail: "name is required" }]);
  expect(response.headers.has("Plumbline-Mock-Reason")).toBe(false);
});

it.each([
  ["image/*", { type: "string" }, "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
  ["audio/*", { type: "string" }, "audio/basic", "text"],
  ["application/*", { type: "string" }, "application/octet-stream", "text"],
  ["*/*", boat, "application/json", '{"name":"text"}'],
  ["text/*", { type: "string" }, "text/plain", "text"],
])("sends a member of %s", async (range, schema, mediaType, body) => {
  const mock = await mockOf(withOperation({ operationId: "show", responses: { 200: content(schema, range) } }));
  const response = await fetch(`${mock.url}/boats`, { method: "POST" });
  expect([response.headers.get("Content-Type")?.replace(/;.*/, ""), await response.text()]).toEqual([mediaType, body]);
  const preferred = await fetch(`${mock.url}/boats`, { method: "POST", headers: { Prefer: "code=200" } });
  expect([preferred.headers.get("Content-Type"), await preferred.text()]).toEqual([mediaType, body]);
});
