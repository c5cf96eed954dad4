import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMockHere, type RunningMock } from "../support/mock-process.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const boats = `openapi: 3.1.0
info: {title: Boats, version: 1.0.0}
paths:
  /boats:
    get:
      operationId: listBoats
      responses:
        '200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Boat'}}}}}
    post:
      operationId: createBoat
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewBoat'}}}}
      responses: {'201': {description: New., content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
  /boats/{id}:
    get:
      operationId: getBoat
      parameters: [{name: id, in: path, required: true, schema: {type: integer}, x-reference: {to: Boat}}]
      responses:
        '200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {description: Unknown.}
components:
  schemas:
    NewBoat: {type: object, required: [name], properties: {name: {type: string, maxLength: 8}}}
    Boat:
      type: object
      x-resource: {list: listBoats, read: getBoat}
      required: [id, name]
      properties: {id: {type: integer, readOnly: true}, name: {type: string, maxLength: 8}}
`;

/** Replaces a file in one step, so that the mock cannot read a part of it. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}~`, text);
  await rename(`${file}~`, file);
}

async function startIn(folder: string, args: readonly string[]): Promise<RunningMock> {
  const mock = await startMockHere(folder, ["boats.yaml", ...args]);
  onTestFinished(async () => void (await mock.end()));
  return mock;
}

async function namesOf({ url }: RunningMock): Promise<readonly string[]> {
  const all = (await (await fetch(`${url}/boats`)).json()) as readonly { readonly name: string }[];
  return all.map(({ name }) => name);
}

async function create({ url }: RunningMock, name: string): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`${url}/boats`, { method: "POST", headers, body: JSON.stringify({ name }) })).status;
}

describe("--watch", () => {
  it("keeps the objects that the new schemas accept, and the mock of the last valid description", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "boats.yaml");
    await save(file, boats);
    const mock = await startIn(folder, ["--watch"]);
    expect([await create(mock, "Ada"), await create(mock, "Galathea")]).toEqual([201, 201]);

    let from = mock.lines.length;
    await save(file, boats.replace("version: 1.0.0", "version: 1.1.0").replaceAll("maxLength: 8", "maxLength: 6"));
    await mock.waitFor(/^Reloaded Boats 1\.1\.0/, from);
    expect(await namesOf(mock)).toEqual(["Ada"]);
    expect([await create(mock, "Galathea"), await create(mock, "Bea")]).toEqual([400, 201]);

    from = mock.lines.length;
    await save(file, boats.replaceAll("#/components/schemas/Boat'", "ship.yaml'"));
    expect(await mock.waitFor(/ error /, from)).toMatch(
      /^boats\.yaml:\d+:\d+ {2}error {2}openapi\/no-unresolved-refs /,
    );
    expect(await namesOf(mock)).toEqual(["Ada", "Bea"]);

    from = mock.lines.length;
    await save(file, boats.replace("version: 1.0.0", "version: 1.2.0"));
    await mock.waitFor(/^Reloaded Boats 1\.2\.0/, from);
    expect(await namesOf(mock)).toEqual(["Ada", "Bea"]);
    expect(await create(mock, "Galathea")).toBe(201);
    expect(await mock.end()).toBe(0);
  });

  it("reports data that no longer match, and goes on", async () => {
    const folder = await temporaryFolder();
    const data = path.join(folder, "data.yaml");
    await place(folder, { "boats.yaml": boats, "data.yaml": "Boat: [{name: Ada}]\n" });
    const mock = await startIn(folder, ["--watch", "--data", "data.yaml"]);
    expect(await namesOf(mock)).toEqual(["Ada"]);
    const from = mock.lines.length;
    await save(data, "Boat:\n  - {name: Ada}\n  - {name: 7}\n");
    expect(await mock.waitFor(/ error /, from)).toContain(
      "data.yaml:3:6  error  mock/data  Boat.1.name must be a string.",
    );
    expect(await namesOf(mock)).toEqual(["Ada"]);
    expect(await mock.end()).toBe(0);
  });
});

describe("--data", () => {
  it("has objects from the start, completed as the description says", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "boats.yaml": boats, "data.json": '{"Boat": [{"name": "Ada"}, {"id": 7, "name": "Bea"}]}' });
    const mock = await startIn(folder, ["--data", "data.json"]);
    expect(await (await fetch(`${mock.url}/boats`)).json()).toEqual([
      { id: 1, name: "Ada" },
      { id: 7, name: "Bea" },
    ]);
    expect((await fetch(`${mock.url}/boats/7`)).status).toBe(200);
  });

  it.each([
    ["Boat: [{name: Galathea II}]", "data.yaml:1:9  error  mock/data  Boat.0.name must be at most 8 characters."],
    ["Boat: [{id: one, name: Ada}]", "data.yaml:1:9  error  mock/data  Boat.0.id must be an integer."],
    ["Ship: [{name: Ada}]", 'data.yaml:1:1  error  mock/data  The description has no resource "Ship". It has: Boat.'],
    ["Boat: {name: Ada}", "data.yaml:1:1  error  mock/data  Boat is not a list of objects."],
    ["Boat: [Ada]", "data.yaml:1:8  error  mock/data  Boat.0 is not an object."],
    ["[Boat]", "data.yaml:1:1  error  mock/data  The data are not lists of objects by resource."],
    ["Boat: [", "data.yaml:2:1  error  description/syntax"],
  ])("%j is rejected with its place", async (text, message) => {
    const folder = await temporaryFolder();
    await place(folder, { "boats.yaml": boats, "data.yaml": `${text}\n` });
    const { code, error, out } = await plumbline(["mock", "boats.yaml", "--data", "data.yaml", "--port", "0"], {
      in: folder,
    });
    expect(code).toBe(1);
    expect(error + out).toContain(message);
  });
});

// A database that ends the process on a signal can be in the same worker.
it("ends in this process without a signal to others", async () => {
  const heard: string[] = [];
  const listener = (signal: string): void => void heard.push(signal);
  process.on("SIGINT", listener);
  onTestFinished(() => void process.off("SIGINT", listener));
  const folder = await temporaryFolder();
  await save(path.join(folder, "boats.yaml"), boats);
  const mock = await startMockHere(folder, ["boats.yaml"]);
  expect(await mock.end()).toBe(0);
  expect(heard).toEqual([]);
});
