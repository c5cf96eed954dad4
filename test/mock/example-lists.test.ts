import { expect, it, onTestFinished } from "vitest";
import { startMock, type RunningMock } from "../support/mock-process.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";

const trips = [1, 2, 3].map((number) => ({ name: `Trip ${number}` }));
const paged = { type: "object", properties: { data: { type: "array", items: { type: "object" } }, next: {} } };
const size = { name: "limit", in: "query", schema: { type: "integer", minimum: 1, default: 2 } };
const page = { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } };

interface List {
  readonly schema: object;
  readonly example: unknown;
  readonly parameters: readonly object[];
  readonly "x-lists"?: object;
}

/** Starts a mock with one list, whose items nothing creates. Returns what it responds to queries, and its lines. */
async function serve({ schema, example, ...rest }: List) {
  const ok = { description: "Trips.", content: { "application/json": { schema, example } } };
  const operation = { operationId: "list-trips", ...rest, responses: { "200": ok } };
  const info = { title: "Trips", version: "1" };
  const description = { openapi: "3.1.0", info, paths: { "/search": { get: operation } } };
  const folder = await temporaryFolder();
  await place(folder, { "openapi.json": JSON.stringify(description) });
  const mock: RunningMock = await startMock(folder, ["openapi.json"]);
  onTestFinished(async () => void (await mock.end()));
  const bodies = async (...queries: readonly string[]): Promise<readonly unknown[]> => {
    const results: unknown[] = [];
    for (const query of queries) {
      const response = await fetch(`${mock.url}/search${query}`);
      expect(response.headers.get("Plumbline-Mock")).toBe("example");
      results.push(await response.json());
    }
    return results;
  };
  return bodies;
}

const [first, second, third] = trips;

it("pages an example by the parameters of a list, whichever query comes first", async () => {
  const bodies = await serve({ schema: paged, example: { data: trips, next: "/2" }, parameters: [page, size] });
  expect(await bodies("?page=2", "", "?limit=1&page=3", "?limit=3", "?page=3")).toEqual([
    { data: [third], next: "/2" },
    { data: [first, second], next: "/2" },
    { data: [third], next: "/2" },
    { data: trips, next: "/2" },
    { data: [], next: "/2" },
  ]);
});

it("has the envelope that the description states", async () => {
  const envelope = { items: "data", page: "page", pages: "pages", total: "total" };
  const bodies = await serve({
    schema: { ...paged, properties: { ...paged.properties, page: {}, pages: {}, total: {} } },
    example: { data: trips, page: 1, pages: 1, total: 3 },
    parameters: [page, size],
    "x-lists": { pages: { page: "page", size: "limit", envelope } },
  });
  expect(await bodies("", "?page=2")).toEqual([
    { data: [first, second], page: 1, pages: 2, total: 3 },
    { data: [third], page: 2, pages: 2, total: 3 },
  ]);
});

it("pages an example that is an array", async () => {
  const bodies = await serve({ schema: { type: "array", items: {} }, example: trips, parameters: [size] });
  expect(await bodies("?limit=1", "?limit=3")).toEqual([[first], trips]);
});

it("repeats an example without pages, as an example", async () => {
  const bodies = await serve({ schema: paged, example: { data: trips }, parameters: [] });
  expect(await bodies("", "")).toEqual([{ data: trips }, { data: trips }]);
});
