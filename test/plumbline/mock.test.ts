import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startMock as startMockProcess, type RunningMock } from "../support/mock-process.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

const [, description = ""] =
  /^```yaml\n# kennel\.yaml\n([^]*?)^```$/m.exec(readTracked("packages/plumbline/docs/mock.md")) ?? [];

/** Starts a mock that ends with the test. */
async function startMock(folder: string, args: readonly string[]): Promise<RunningMock> {
  const mock = await startMockProcess(folder, args);
  onTestFinished(async () => void (await mock.end()));
  return mock;
}

const json = { "Content-Type": "application/json" };

it("serves the example of its page, with a line for each request", async () => {
  const folder = await temporaryFolder();
  await place(folder, { "kennel.yaml": description });
  const mock = await startMock(folder, ["kennel.yaml"]);
  expect(mock.lines[0]).toMatch(/^Mock of Kennel 1\.0\.0: http:\/\/127\.0\.0\.1:\d+\/v1 {2}\(4 operations\)$/);
  const create = async (body: object): Promise<Response> =>
    fetch(`${mock.url}/dogs`, { method: "POST", headers: json, body: JSON.stringify(body) });
  expect((await create({ name: "" })).status).toBe(400);
  const created = await create({ name: "Rex" });
  expect([created.status, await created.json()]).toEqual([201, { id: 1, name: "Rex" }]);
  expect(await (await fetch(`${mock.url}/dogs`)).json()).toEqual([{ id: 1, name: "Rex" }]);
  expect((await fetch(`${mock.url}/dogs/1`, { method: "DELETE" })).status).toBe(204);
  expect((await fetch(`${mock.url}/dogs/1`)).status).toBe(404);
  expect(await (await fetch(new URL("/", mock.url))).text()).toContain("createDog");
  expect(await mock.end()).toBe(0);
  expect(mock.lines.slice(1).map((line) => line.replaceAll(/\s+/g, " ").replace(/ [\d.]+ ms$/, ""))).toEqual([
    "POST /v1/dogs 400 createDog",
    "POST /v1/dogs 201 createDog",
    "GET /v1/dogs 200 listDogs",
    "DELETE /v1/dogs/1 204 deleteDog",
    "GET /v1/dogs/1 404 getDog",
    "GET / 200 -",
  ]);
});

it.each([
  ["has a page", "/dogs", "createDog"],
  ["has no page, but its operation,", "/", undefined],
])("%s at the root of an API without a base path", async (_, route, operation) => {
  const folder = await temporaryFolder();
  await place(folder, {
    "kennel.yaml": description.replace("kennel.example/v1", "kennel.example").replace("  /dogs:", `  ${route}:`),
  });
  const mock = await startMock(folder, ["kennel.yaml"]);
  const page = await (await fetch(mock.origin)).text();
  expect(page.includes("<html")).toBe(operation !== undefined);
  if (operation !== undefined) expect(page).toContain(operation);
  expect(await mock.end()).toBe(0);
});

it("lets pages of every origin call it with credentials, but not its controls", async () => {
  const folder = await temporaryFolder();
  await place(folder, { "kennel.yaml": description });
  const mock = await startMock(folder, ["kennel.yaml", "--controls"]);
  const page = { Origin: "http://localhost:5173" };
  const ask = { ...page, "Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization" };
  const allowed = {
    "access-control-allow-credentials": "true",
    "access-control-allow-origin": "http://localhost:5173",
    vary: "Origin",
  };
  const preflight = await fetch(`${mock.url}/dogs/1`, { method: "OPTIONS", headers: ask });
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
    204,
    { ...allowed, "access-control-allow-methods": "DELETE", "access-control-allow-headers": "authorization" },
  ]);
  const unknown = await fetch(`${mock.url}/dogs/1`, { headers: page });
  expect([unknown.status, Object.fromEntries(unknown.headers)]).toMatchObject([404, allowed]);
  expect(unknown.headers.get("access-control-expose-headers")?.split(", ")).toContain("Content-Type");
  expect((await fetch(`${mock.url}/dogs`)).headers.get("access-control-allow-origin")).toBeNull();
  const controls = await fetch(`${mock.origin}/_mock/reset`, { method: "OPTIONS", headers: ask });
  expect(controls.headers.get("access-control-allow-origin")).toBeNull();
});

const samples: Readonly<Record<string, readonly [content: string, body: string]>> = {
  xml: ["application/xml: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}", '{"id":1}'],
  text: ["text/plain: {schema: {type: integer}}", "1"],
  lines: [
    "application/jsonl: {itemSchema: {type: object, required: [id], properties: {id: {type: integer}}}}",
    '{"id":1}\n',
  ],
  sequence: ["application/json-seq: {example: [1, a]}", '\u001e1\n\u001e"a"\n'],
  events: ["text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}}", "data: text\n\n"],
  data: [
    "text/event-stream: {schema: {type: object, required: [id], properties: {id: {const: 7}}}}",
    'data: {"id":7}\n\n',
  ],
  json: [
    "text/event-stream: {example: {event: added, data: a}, itemSchema: {type: object, properties: {data: {type: string, contentMediaType: application/json, contentSchema: {type: string}}}}}",
    'data: "a"\nevent: added\n\n',
  ],
  written: ['text/event-stream: {example: "data: a\\ndata: b\\n\\n", itemSchema: {}}', "data: a\ndata: b\n\n"],
};

it("responds with a text in other media types than JSON, also if a client asks for an example", async () => {
  const folder = await temporaryFolder();
  const paths = Object.entries(samples).map(
    ([name, [content]]) => `  /${name}: {get: {responses: {'200': {description: a, content: {${content}}}}}}\n`,
  );
  const head = "openapi: 3.2.0\ninfo: {title: Samples, version: '1'}\nservers: [{url: 'https://samples.example'}]\n";
  await place(folder, { "samples.yaml": `${head}paths:\n${paths.join("")}` });
  const mock = await startMock(folder, ["samples.yaml"]);
  for (const [name, [, body]] of Object.entries(samples))
    for (const headers of [{}, { Prefer: "code=200" }]) {
      const response = await fetch(`${mock.url}/${name}`, { headers });
      expect([name, response.status, await response.text()]).toEqual([name, 200, body]);
    }
});

it("runs no code of a description", async () => {
  const folder = await temporaryFolder();
  const attack = "`${process.exit(66)}`*/process.exit(67);//\\u2028\"'";
  const hostile = description
    .replace("title: Kennel", `title: ${JSON.stringify(attack)}`)
    .replace("description: All.", `description: ${JSON.stringify(attack)}`)
    .replaceAll(
      "name: {type: string",
      `${JSON.stringify(attack)}: {type: string, default: ${JSON.stringify(attack)}}, name: {type: string`,
    );
  await place(folder, { "hostile.yaml": hostile });
  const mock = await startMock(folder, ["hostile.yaml", "--json"]);
  const body = JSON.stringify({ name: "Rex", [attack]: attack, ["__proto__"]: { polluted: true } });
  const created = await fetch(`${mock.url}/dogs`, { method: "POST", headers: json, body });
  expect(await created.json()).toMatchObject({ name: "Rex", [attack]: attack });
  expect(await mock.end()).toBe(0);
});

it("says what is wrong with a description, and which port is in use", async () => {
  const folder = await temporaryFolder();
  await place(folder, { "kennel.yaml": description, "broken.yaml": "openapi: 3.1.0\n" });
  expect(await plumbline(["mock", "broken.yaml"], { in: folder })).toMatchObject({ code: 1 });
  const mock = await startMock(folder, ["kennel.yaml"]);
  const { port } = new URL(mock.url);
  const second = await plumbline(["mock", path.join(folder, "kennel.yaml"), "--port", port], { in: folder });
  expect(second.code).toBe(1);
  expect(second.error).toContain(port);
  await mock.end();
});

it("finds the paths of a large description, whose groups of operations it generates later", async () => {
  const operation = (id: string, tag: string, parameters = "[]") =>
    `{operationId: ${id}, tags: [${tag}], parameters: ${parameters}, responses: {'200': {description: ok}}}`;
  const id = (rules: string) => `[{name: id, in: path, required: true, ${rules}, schema: {type: string}}]`;
  const paths = [
    ...Array.from({ length: 151 }, (_, index) => `  /a${index}: {get: ${operation(`a${index}`, "a")}}\n`),
    `  '/matrices/{id}': {get: ${operation("getMatrix", "matrices", id("style: matrix"))}}\n`,
    `  '/images/{id}': {get: ${operation("getImage", "images", id("x-input: {encodedSlash: true}"))}}\n`,
  ];
  const folder = await temporaryFolder();
  const head = "openapi: 3.1.0\ninfo: {title: Large, version: 1.0.0}\nsecurity: []\npaths:\n";
  await place(folder, { "large.yaml": head + paths.join("") });
  const mock = await startMock(folder, ["large.yaml"]);
  const statusOf = async (target: string): Promise<number> => (await fetch(mock.url + target)).status;
  expect([await statusOf("/a7"), await statusOf("/matrices/;id=1"), await statusOf("/images/b%2Fc")]).toEqual([
    200, 200, 200,
  ]);
});
