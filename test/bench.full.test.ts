import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runOnce } from "./bench/conformance.js";
import { ours } from "./bench/generators.js";
import { savesOf } from "./bench/loop.js";
import { measure } from "./bench/measure.js";
import { countAt } from "./bench/scaling.js";
import { compareServers, kinds, servers } from "./bench/server/load.js";
import { compareMemory } from "./bench/server/memory.js";
import { placeServers } from "./bench/server/place.js";
import { compareRouters } from "./bench/server/routes.js";
import { compareCreates, usersFor } from "./bench/service/create.js";
import { compareGets } from "./bench/service/get.js";
import { compareLists } from "./bench/service/lists.js";
import { placeService } from "./bench/service/place.js";
import { measureStart } from "./bench/service/start.js";
import { pets, place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";

describe("a measurement", () => {
  it("runs a generator from start to end and reports its time", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "pets.yaml": pets });
    const said: string[] = [];
    const program = ours(path.join(folder, "pets.yaml"));
    const conditions = { node: process.execPath, rounds: 1, folder, say: (text: string) => void said.push(text) };

    const usages = await measure([program], conditions);

    expect([...usages.keys()]).toEqual(["plumbline"]);
    const [usage, ...more] = usages.get("plumbline") ?? [];
    expect(more).toEqual([]);
    expect(usage?.wall).toBeGreaterThan(0);
    expect(usage?.cpu).toBeGreaterThan(0);
    expect(usage?.memory).toBeGreaterThan(30); // less than Node itself would be no figure of a process
    expect(said.map((line) => line.replace(/[\d.]+ s, \d+ MiB/, "…"))).toEqual([
      "warming up: plumbline …",
      "round 1 of 1: plumbline …",
    ]);
  });
});

describe("a generated server", () => {
  const node = { version: process.versions.node, program: process.execPath };
  const few = { node, rounds: 1, count: 20, warmUp: 1 };
  let folder: string;

  beforeAll(async () => {
    folder = await placeServers(node, path.join(repository, "node_modules"));
    return () => rm(folder, { recursive: true });
  });

  it("is measured beside servers that answer the same", async () => {
    const compared = await compareServers(folder, few);
    expect(compared.map(({ table }) => table.rows.map(({ name }) => name))).toEqual(
      Object.keys(kinds).map(() => Object.values(servers)),
    );
    const figures = compared.flatMap(({ goals }) => goals.map(({ figure }) => figure));
    expect(figures).toHaveLength(6);
    expect(figures.every((figure) => Number.isFinite(figure) && figure > 0)).toBe(true);
  });

  it.each([
    ["something else", "'{}'", /^node:http, bytes that are ready answers createInstance otherwise:\nExpected values/],
    ["less from the second on", "answered++ ? '{}' : created", /answers createInstance otherwise:\nHTTP\/1.1 200 OK/],
  ])("is not measured where one answers %s", async (_, body, message) => {
    const file = path.join(folder, "serve-bare.mjs");
    const text = await readFile(file, "utf8");
    const wrong = `let answered = 0;\n${text.replace("answer(response, created)", `answer(response, ${body})`)}`;
    await writeFile(file, wrong);
    await expect(compareServers(folder, few)).rejects.toThrow(message);
    await writeFile(file, text);
  });

  it("finds each operation, as other routers do", async () => {
    const { table } = await compareRouters(folder, { node, rounds: 1 });
    expect(table.rows.map(({ name }) => name)).toEqual([
      "plumbline, buildRoutes",
      "find-my-way, Fastify's",
      "hono, RegExpRouter",
    ]);
  });

  it("holds more than a bare one, after a call of each operation", async () => {
    const { goals } = await compareMemory(folder, { node, rounds: 1 });
    expect(goals[0]?.figure).toBeGreaterThan(0.5);
  });
});

describe("the reference service", () => {
  const node = { version: process.versions.node, program: process.execPath };
  const few = { node, rounds: 1, count: 20, warmUp: 1, stored: 1000 };
  let folder: string;

  beforeAll(async () => {
    const sizes = { instances: few.stored, users: usersFor(few) };
    folder = await placeService(node, path.join(repository, "node_modules"), sizes);
    return () => rm(folder, { recursive: true });
  });

  it("is measured beside servers with the same database", async () => {
    const compared = [
      await measureStart(folder, few),
      await compareGets(folder, few),
      await compareCreates(folder, few),
      ...(await compareLists(folder, few)),
    ];
    const figures = compared.flatMap(({ goals }) => goals.map(({ figure }) => figure));
    expect(figures).toHaveLength(15);
    expect(figures.every((figure) => Number.isFinite(figure) && figure > 0)).toBe(true);
  });

  it("needs as many statements with more rows, on PostgreSQL", async () => {
    const { sizes, waits } = await countAt([100, 2000]);
    const [first = {}, last = {}] = Object.values(sizes);
    expect(Object.keys(first)).toHaveLength(12);
    for (const [name, { statements, rows }] of Object.entries(last)) {
      expect(statements, name).toBeLessThanOrEqual(first[name]?.statements ?? 0);
      expect(rows, name).toBeGreaterThan(0);
    }
    expect(Object.keys(waits)).toEqual(["1", "2", "4"]);
  });

  it("is not measured where an answer is another", async () => {
    const file = path.join(folder, "serve-fastify.mjs");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("JSON.parse(row.doc)", '{ label: "web" }'));
    await expect(compareGets(folder, few)).rejects.toThrow(/^getInstance is answered otherwise:\nHTTP\/1.1 200 OK/);
    await writeFile(file, text);
  });
});

describe("waiting times of the owner", () => {
  it("is measured for the suite, by its report", async () => {
    const { cases, requests, durationSeconds } = await runOnce(thisNode, ["--read-only"]);
    expect(cases).toBeGreaterThan(300);
    expect(requests).toBeGreaterThan(cases);
    expect(durationSeconds).toBeGreaterThan(0);
  });

  it("is measured for a saved file, until the first packages and until all are written", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const saved = await savesOf(
      thisNode,
      {
        spec: "spec/openapi.yaml",
        files: folder,
        options: ["--spec", "spec/openapi.yaml", "--out", "generated"],
        file: "openapi.yaml",
        edit: (text, round) => text.replace("Pet shop", `Pet shop ${round}`),
      },
      2,
    );
    expect(saved.first).toHaveLength(2);
    expect(saved.all.every((seconds, round) => seconds > (saved.first[round] ?? 0))).toBe(true);
  });
});

const thisNode = { version: process.versions.node, program: process.execPath };

describe("the command", () => {
  const folder = path.join(repository, "test");
  const bench = (...args: readonly string[]) =>
    spawnSync(process.execPath, ["dist/run.js", ...args], { cwd: folder, encoding: "utf8" });

  beforeAll(() => {
    const compiler = path.join(repository, "node_modules", ".bin", "tsc");
    expect(spawnSync(compiler, ["-p", "bench/tsconfig.json"], { cwd: folder, encoding: "utf8" }).stdout).toBe("");
  });

  it("prints its usage", () => {
    const { status, stdout } = bench("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("npm run bench -w test -- generate --rounds 3\n");
  });

  it.each([
    [
      ["generat"],
      'Unknown benchmark "generat". Benchmarks: generate, corpus, client, validator, server, mock, service, scaling, observing, conformance, loop, growth, stalls, site, readers.',
    ],
    [["--rounds", "0"], "--rounds wants a number from 1 on."],
    [["--fast"], "Unknown option '--fast'"],
  ])("rejects %j", (args, message) => {
    const { status, stderr } = bench(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
