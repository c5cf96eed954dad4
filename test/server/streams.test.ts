import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server as NodeServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { followEvents, type CallOptions, type Client, type ApiPromise } from "@plumbline/client-runtime";
import { readSuite, runSuite, type RunReport } from "@plumbline/conformance-runtime";
import type { Server } from "@plumbline/server-runtime";
import { fetchHandler } from "@plumbline/server-runtime/fetch";
import { nodeListener } from "@plumbline/server-runtime/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

/** As `descriptions/streams/jobs.server.ts` has it. */
interface JobsState {
  open: number;
  lines: number;
}

interface ProgressEvent {
  readonly id: string;
  readonly data: { readonly percent: number; readonly finishAt?: string };
}

/** What the generated client exports. */
interface JobsClient {
  createClient(options: CallOptions): Client;
  watchJob(
    client: Client,
    request: { readonly path: { readonly id: number } },
    options?: CallOptions,
  ): ApiPromise<AsyncIterable<ProgressEvent> | undefined, unknown, unknown>;
  readLog(
    client: Client,
    request?: { readonly query?: { readonly lines?: number } },
  ): ApiPromise<AsyncIterable<{ readonly line: number; readonly text: string }>, unknown, unknown>;
}

let folder: string;
let jobs: { createJobs(state: JobsState, fault?: number): Server };
let client: JobsClient;
beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  await cp(path.join(repository, "test", "descriptions", "streams"), folder, { recursive: true });
  const generated = await plumbline(["generate", "--spec", "jobs.yaml", "--out", folder], { in: folder });
  expect(generated).toMatchObject({ code: 0 });
  const { compilerOptions } = JSON.parse(await readFile(path.join(folder, "server", "tsconfig.json"), "utf8")) as {
    readonly compilerOptions: object;
  };
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", types: ["node"], declarationMap: false };
  const include = ["jobs.server.ts", "server/src", "client/src"];
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions: { ...options, sourceMap: false }, include }));
  expect(await compileProject(project, { in: folder })).toEqual({ code: 0, out: "", error: "" });
  const from = (file: string): string => pathToFileURL(path.join(folder, "out", file)).href;
  jobs = (await import(from("jobs.server.js"))) as typeof jobs;
  client = (await import(from("client/src/index.js"))) as JobsClient;
});
afterAll(() => rm(folder, { recursive: true }));

const hosts = new Set<NodeServer>();
afterEach(async () => {
  for (const host of hosts) {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  }
  hosts.clear();
});

async function listen(listener: RequestListener): Promise<string> {
  const host = createServer(listener);
  hosts.add(host);
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}/v1`;
}

async function serveJobs(fault?: number): Promise<{ readonly url: string; readonly state: JobsState }> {
  const state: JobsState = { open: 0, lines: 0 };
  return { url: await listen(nodeListener(jobs.createJobs(state, fault))), state };
}

async function eventually(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe("items that a handler returns", () => {
  it("reach the generated client with their types, and only what is described", async () => {
    const { url } = await serveJobs();
    const lines = await client.readLog(client.createClient({ baseUrl: url }), { query: { lines: 2 } });
    const read: unknown[] = [];
    for await (const line of lines) read.push(line);
    const text = "x".repeat(1000);
    expect(read).toEqual([
      { line: 1, text },
      { line: 2, text },
    ]);
  });

  it("arrive as they happen, and end in the handler when the client leaves", async () => {
    const { url, state } = await serveJobs();
    const events = await client.watchJob(client.createClient({ baseUrl: url }), { path: { id: 7 } });
    const read: ProgressEvent[] = [];
    for await (const event of events ?? []) {
      expect(state.open).toBe(1);
      if (read.push(event) === 3) break;
    }
    expect(read).toEqual(
      ["1", "2", "3"].map((id) => ({ id, data: { percent: Number(id), finishAt: "1970-01-01T00:00:00Z" } })),
    );
    await eventually(() => state.open === 0);
  });

  it("are created no faster than the client reads them", async () => {
    const { url, state } = await serveJobs();
    const response = await fetch(`${url}/jobs/log?lines=100000`);
    const reader = response.body?.getReader();
    await reader?.read();
    // The buffers of sockets hold a few megabytes. Without back-pressure, all lines are created while the client waits.
    let [before, still] = [0, 0];
    await eventually(() => {
      still = before === state.lines ? still + 1 : 0;
      before = state.lines;
      return still === 1000;
    });
    expect(state.lines).toBeLessThan(50_000);
    await reader?.cancel();
    await eventually(() => state.open === 0);
  });

  it("go on after the last event when the connection breaks", async () => {
    const { url } = await serveJobs();
    let broken = 0;
    const listener = await listen((request, response) => {
      void fetch(`${url}${(request.url ?? "").slice(3)}`, {
        headers: { "last-event-id": String(request.headers["last-event-id"] ?? "0") },
      }).then(async (upstream) => {
        response.writeHead(upstream.status, Object.fromEntries(upstream.headers));
        if (upstream.body === null) return response.end();
        let chunks = 0;
        for await (const chunk of upstream.body) {
          response.write(chunk);
          if (++chunks === 30 && broken++ < 3) return response.destroy();
        }
        return response.end();
      });
    });
    const read: string[] = [];
    const events = followEvents(
      client.watchJob,
      client.createClient({ baseUrl: listener }),
      { path: { id: 7 } },
      { retryMs: 1 },
    );
    for await (const { id } of events) read.push(id);
    expect(read).toEqual(Array.from({ length: 100 }, (_, index) => String(index + 1)));
    expect(broken).toBeGreaterThan(2);
  });

  it("are the same through the fetch adapter", async () => {
    const state: JobsState = { open: 0, lines: 0 };
    const handle = fetchHandler(jobs.createJobs(state));
    const response = await handle(
      new Request("http://127.0.0.1/v1/jobs/1/progress", { headers: { "last-event-id": "98" } }),
    );
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const data = (percent: number): string => `{"percent":${percent},"finishAt":"1970-01-01T00:00:00Z"}`;
    expect(await response.text()).toBe(`id: 99\ndata: ${data(99)}\n\nid: 100\ndata: ${data(100)}\n\n`);
    const left = await handle(new Request("http://127.0.0.1/v1/jobs/log"));
    const reader = left.body?.getReader();
    await reader?.read();
    expect(state.open).toBe(1);
    await reader?.cancel();
    expect(state.open).toBe(0);
  });

  it("that the description does not allow end the connection", async () => {
    const { url, state } = await serveJobs(101);
    const events = await client.watchJob(client.createClient({ baseUrl: url }), { path: { id: 7 } });
    await expect(
      (async () => {
        for await (const event of events ?? []) expect(event).toBe("never sent");
      })(),
    ).rejects.toMatchObject({ code: "network" });
    expect(state.open).toBe(0);
  });
});

describe("the suite of a description with streams", () => {
  function run(url: string): Promise<RunReport> {
    const suite = readSuite(pathToFileURL(path.join(folder, "conformance", "data", path.sep)));
    return runSuite(suite, { url, credentials: {}, cases: suite.cases, seed: 1 });
  }

  it("passes the server, also where a stream has no end", async () => {
    const { url, state } = await serveJobs();
    const report = await run(url);
    expect(report.results.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(report.results.map(({ case: { id } }) => id)).toContain("default/watchJob/accepts");
    await eventually(() => state.open === 0);
  });

  it("finds an item that is not as described", async () => {
    const url = await listen((request, response) => {
      const isLog = request.url?.includes("log") === true;
      response.writeHead(200, { "content-type": isLog ? "application/jsonl" : "text/event-stream" });
      response.end(isLog ? '{"line":1,"text":"a"}\n{"line":"2","text":"b"}\n' : "id: 1\ndata: not JSON\n\n");
    });
    const { results } = await run(url);
    const failures = results.flatMap(({ case: { id }, failures: found }) =>
      id.endsWith("/accepts") ? found.map(({ difference }) => [id, difference?.at, difference?.received]) : [],
    );
    expect(failures).toEqual([
      ["default/watchJob/accepts", "/0", "not JSON"],
      ["default/readLog/accepts", "/1/line", '"2"'],
    ]);
  });
});
