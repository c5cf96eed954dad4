import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { mistakenIn } from "./bench/client/conduct.js";
import { getOperations } from "./bench/client/operations.js";
import { busiestFunctions, busiestParts, type CpuProfile } from "./bench/cpu-profile.js";
import { withoutBooleanSchemas } from "./bench/descriptions.js";
import { fastestRatioOf, medianOf, ratioOf, spreadOf } from "./bench/figures.js";
import { measure, type Program } from "./bench/measure.js";
import { isEnough } from "./bench/peers.js";
import { evaluateGoal, printed } from "./bench/report.js";
import { above, pairs, programs, rowsOf } from "./bench/validator/servers.js";
import { place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";

describe("a measurement", () => {
  it("alternates programs, and counts their children", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "write.mjs": `import { writeFileSync } from "node:fs";
const held = Buffer.alloc(100 * 2 ** 20, 1);
writeFileSync(process.argv[2] + "/types.ts", String(held.length));`,
      "start.mjs": `import { spawnSync } from "node:child_process";
spawnSync(process.execPath, ["write.mjs", process.argv[2]], { cwd: "${folder}" });`,
    });
    const turns: string[] = [];
    const program = (name: string): Program => ({
      name,
      args: (out) => {
        turns.push(name);
        return [path.join(folder, "start.mjs"), out];
      },
    });

    const usages = await measure([program("a"), program("b")], {
      node: process.execPath,
      rounds: 1,
      folder,
      say: () => undefined,
    });

    // The first turns warm up.
    expect(turns).toEqual(["a", "b", "a", "b"]);
    expect(usages.get("a")).toHaveLength(1);
    expect(usages.get("b")?.every(({ memory }) => memory > 100)).toBe(true);
  });

  it.each([
    ["fails", "console.error('No such file'); process.exitCode = 3;", "broken ended with 3:\nNo such file"],
    ["writes nothing", "console.log('All done');", "broken wrote no file .ts:\nAll done"],
  ])("rejects a program that %s", async (_, text, message) => {
    const folder = await temporaryFolder();
    await place(folder, { "broken.mjs": text });
    const broken = { name: "broken", args: () => [path.join(folder, "broken.mjs")] };
    const conditions = { node: process.execPath, rounds: 1, folder, say: () => undefined };
    await expect(measure([broken], conditions)).rejects.toThrow(message);
  });
});

describe("the figures", () => {
  it("are the smallest, the middle one and the largest", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
    expect(() => medianOf([])).toThrow("Nothing was measured.");
  });

  it("are compared within a round, so that a slow one does not count", () => {
    expect(ratioOf([2, 30, 4], [1, 10, 2])).toBe(2);
    expect(fastestRatioOf([30, 3, 40], [20, 10, 1])).toBe(3);
    expect(() => ratioOf([1, 2], [1])).toThrow("The rounds of the two are not the same.");
  });
});

describe("a report", () => {
  const goal = { what: "time against a rival", limit: 1.25, unit: "×" };

  it("states for each goal whether it is met", () => {
    const met = [1.25, 1.26, Number.NaN].map((figure) => evaluateGoal({ ...goal, figure }).met);
    expect(met).toEqual([true, false, false]);
  });

  it("is a table, notes, and the goals", () => {
    const report = {
      benchmark: "generate",
      tables: [
        {
          title: "Generating",
          columns: { wall: { title: "seconds", digits: 2 }, times: { title: "× time", digits: 2 } },
          rows: [
            { name: "plumbline", cells: { wall: { min: 1, median: 1.5, max: 2.25 }, times: 1.5 } },
            { name: "a rival", cells: { wall: { min: 1, median: 1, max: 1 } } },
          ],
          notes: ["a rival makes types alone"],
        },
      ],
      goals: [evaluateGoal({ ...goal, figure: 1.5 }), evaluateGoal({ ...goal, figure: 1 })],
    };
    expect(printed(report)).toBe(`Generating
                   seconds  × time
  plumbline  1.50 (1–2.25)    1.50
  a rival          1 (1–1)
  * a rival makes types alone

Goals of generate: 1 met, 1 not met
  not met  time against a rival: 1.50 ×, goal at most 1.25 ×
  met      time against a rival: 1 ×, goal at most 1.25 ×
`);
  });
});

describe("the peers", () => {
  it("run on a Node that they support", () => {
    const versions = ["20.20.2", "22.17.9", "22.18.0", "24.0.0"];
    expect(versions.filter((version) => isEnough(version, ">=22.18.0"))).toEqual(["22.18.0", "24.0.0"]);
    expect(isEnough("20.20.2", "")).toBe(true);
  });

  it("read a description without boolean schemas", () => {
    const schema = { additionalProperties: false, nullable: true, properties: { not: false, if: { items: true } } };
    expect(withoutBooleanSchemas({ deprecated: true, schema })).toEqual({
      deprecated: true,
      schema: { additionalProperties: false, nullable: true, properties: { not: { not: {} }, if: { items: {} } } },
    });
  });

  it("are called with values for the parameters of the path", () => {
    const description = {
      paths: {
        "/pets": { get: { operationId: "listPets", parameters: [{ name: "page", in: "query" }] } },
        "/pets/{id}": {
          parameters: [{ $ref: "#/components/parameters/Id" }],
          get: { operationId: "getPet" },
          delete: { operationId: "deletePet" },
        },
      },
      components: { parameters: { Id: { name: "id", in: "path", schema: { type: "integer" } } } },
    };
    expect(getOperations(description, 2)).toEqual([
      { name: "listPets", template: "/pets", parameters: [], values: {}, takesQuery: true },
      { name: "getPet", template: "/pets/{id}", parameters: ["id"], values: { id: "1" }, takesQuery: false },
    ]);
    expect(() => getOperations(description, 3)).toThrow("The description has 2 such operations, not 3.");
  });

  it("fail only for parameters that do not arrive", () => {
    const first = "/v4/items/a%2Fb%3Fc";
    const second = "/v4/items/5?tags=x&tags=y%26z&ids=1%2C2&where%5Bmin%5D=3";
    expect(mistakenIn(first, second)).toEqual([]);
    expect(mistakenIn("/v4/items/a/b?c", "/v4/items/5?tags=x,y%26z&ids=1&ids=2&where=3")).toEqual([
      "id",
      "tags",
      "ids",
      "where",
    ]);
  });
});

describe("the servers", () => {
  it("are measured each beside the same one without a validator", () => {
    expect(pairs.filter(({ who }) => who === "plumbline").map(({ host }) => host)).toEqual([
      "node:http",
      "express",
      "fastify",
      "hono",
    ]);
    expect(programs).toEqual(readdirSync(folderOfPrograms).flatMap(serverOf).toSorted(byTurn));
  });

  it("are compared within a round, so that a slow one does not count", () => {
    expect(above([5, 40, 6], [3, 10, 3])).toBe(3);
    expect(() => above([1, 2], [1])).toThrow("The rounds of the two are not the same.");
  });

  it("have a row each, with the difference to the bare one", () => {
    const times: Readonly<Record<string, readonly number[]>> = { "hono-bare": [10, 14], "hono-plumbline": [13, 16] };
    expect(rowsOf((name) => times[name] ?? [1, 1]).slice(-2)).toEqual([
      { name: "hono, bare", cells: { time: { min: 10, median: 12, max: 14 } } },
      { name: "hono, plumbline", cells: { time: { min: 13, median: 14.5, max: 16 }, above: 2.5, least: 3 } },
    ]);
  });

  const folderOfPrograms = path.join(repository, "test", "bench", "validator", "programs");
  const serverOf = (file: string): readonly string[] => /^serve-(.+)\.mjs$/.exec(file)?.slice(1) ?? [];
  const byTurn = (a: string, b: string): number => programs.indexOf(a) - programs.indexOf(b);
});

describe("a profile", () => {
  const frame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 2, columnNumber: 0 });
  const profile = (samples: readonly number[]): CpuProfile => ({
    nodes: [
      { id: 1, callFrame: frame("(idle)") },
      { id: 2, callFrame: frame("", "file:///apps/server.mjs") },
      { id: 3, callFrame: frame("end", "node:_http_outgoing") },
      { id: 4, callFrame: frame("(garbage collector)") },
    ],
    samples,
    timeDeltas: samples.map(() => 100),
  });

  it("lists functions by their own time, without the first third and idle time", async () => {
    expect(await busiestFunctions(profile([4, 4, 4, 1, 3, 2, 2, 1, 2]))).toEqual([
      { name: "(anonymous) server.mjs:3", cells: { share: 75 } },
      { name: "end node:_http_outgoing:3", cells: { share: 25 } },
    ]);
  });

  it("lists its parts, with the built-in functions that each calls", () => {
    const file = (name: string): string => pathToFileURL(path.join(repository, name)).href;
    const parts = busiestParts({
      nodes: [
        { id: 1, callFrame: frame("(root)", ""), children: [2, 5, 6] },
        { id: 2, callFrame: frame("find", file("packages/server-runtime/dist/index.js")), children: [3, 4] },
        { id: 3, callFrame: frame("hasOwn", "") },
        { id: 4, callFrame: frame("writev", "") },
        { id: 5, callFrame: frame("walk", file("node_modules/@redocly/openapi-core/lib/walk.js")) },
        { id: 6, callFrame: frame("(garbage collector)", "") },
      ],
      samples: [1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 6],
      timeDeltas: Array<number>(12).fill(100),
    });
    expect(parts.map(({ name, cells }) => [name, cells["share"]])).toEqual([
      ["packages/server-runtime", 37.5],
      ["@redocly/openapi-core", 37.5],
      ["writes to sockets and files", 12.5],
      ["garbage collector", 12.5],
    ]);
  });

  it("is not empty", async () => {
    await expect(busiestFunctions(profile([1, 1, 1]))).rejects.toThrow("The profile has no samples.");
  });
});
