import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Benchmark } from "./benchmark.js";
import { medianOf, spreadOf } from "./figures.js";
import { nodes, type Node } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared } from "./report.js";
import { serveZones } from "./zone-transfer.js";

/** How long one request keeps the event loop of the service from everybody else. */
export const stalls: Benchmark = {
  name: "stalls",
  about: "the longest delay of the service's event loop by one request: large bodies, imports, filters",
  rounds: 5,
  async run({ rounds, say }) {
    const compared: Compared[] = [];
    for (const node of nodes()) {
      say(`sending large requests, ${rounds} rounds, Node ${node.version}`);
      compared.push(await measureStalls(node, rounds));
    }
    const goals = compared.flatMap((each) => each.goals);
    return { benchmark: "stalls", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
  },
};

/** Milliseconds. */
const longestDelay = 50;

export async function measureStalls(node: Node, rounds: number): Promise<Compared> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-stalls-"));
  const zones = await serveZones();
  const service = await start(node, folder);
  try {
    const measured = new Map<string, Measured[]>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, before, run } of casesOf(service, { nameserver: zones.address, round })) {
        await before?.();
        await service.measured();
        await run();
        // The first round compiles.
        if (round > 0) measured.set(name, [...(measured.get(name) ?? []), await service.measured()]);
      }
    }
    const delaysOf = (each: readonly Measured[]): readonly number[] => each.map(({ delay }) => delay);
    const rows = [...measured].map(([name, each]) => ({
      name,
      cells: { delay: spreadOf(delaysOf(each)), cpu: spreadOf(each.map(({ cpu }) => cpu)) },
    }));
    return {
      table: {
        title: `Delay of the event loop, Node ${node.version}`,
        columns: { delay: { title: "ms of delay at most", digits: 0 }, cpu: { title: "ms of CPU in all", digits: 0 } },
        rows,
        notes: ["middle round (fastest–slowest)", "on a machine that is not idle, others add to the delay"],
      },
      goals: [...measured].map(([name, each]) => ({
        what: `${name}, Node ${node.version}`,
        figure: medianOf(delaysOf(each)),
        limit: longestDelay,
        unit: "ms",
      })),
    };
  } finally {
    zones.close();
    await service.end();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Case {
  readonly name: string;
  readonly before?: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
}

function casesOf(
  { call, settle }: Service,
  { nameserver, round }: { readonly nameserver: string; readonly round: number },
): readonly Case[] {
  const tag = (text: string) => (): Promise<unknown> => call("POST", "/tags", { body: text });
  const fields = (count: number, name: string): string =>
    Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join(",");
  const ids = Array.from({ length: 120_000 }, (_, index) => index + 1);
  const importOf = (count: number): Promise<{ readonly id: number }> => {
    const body = JSON.stringify({ domain: `${count}.r${round}.example.com`, remote_nameserver: nameserver });
    return call("POST", "/domains/import", { body }) as Promise<{ readonly id: number }>;
  };
  const contains = (count: number): string =>
    JSON.stringify({ "+or": Array.from({ length: count }, (_, index) => ({ name: { "+contains": `x${index}` } })) });
  let small = 0;
  return [
    { name: "120,000 ids", run: tag(JSON.stringify({ label: "a", domains: ids })) },
    { name: "90,000 fields, the last one twice", run: tag(`{${fields(90_000, "k")},"k0":1}`) },
    { name: "90,000 times the same field", run: tag(`{${'"label":"a",'.repeat(80_000)}"label":"a"}`) },
    { name: "70,000 unknown fields", run: tag(`{"label":"a",${fields(70_000, "k")}}`) },
    { name: "9,000 unknown fields", run: tag(`{"label":"a${round}",${fields(9000, "k")}}`) },
    { name: "an import of 12,000 records, and its zone", run: () => importOf(12_000).then(settle) },
    {
      name: "200 +contains over 3,000 rows",
      before: async () => {
        small = (await importOf(3000)).id;
        await settle();
      },
      run: () => call("GET", `/domains/${small}/records`, { filter: contains(200) }),
    },
    {
      name: "20 +contains over 3,000 rows",
      run: () => call("GET", `/domains/${small}/records`, { filter: contains(20) }),
    },
  ];
}

/** Milliseconds since the previous request. */
interface Measured {
  readonly delay: number;
  readonly cpu: number;
}

interface Service {
  readonly measured: () => Promise<Measured>;
  readonly call: (
    method: string,
    target: string,
    sent: { readonly body?: string; readonly filter?: string },
  ) => Promise<unknown>;
  readonly settle: () => Promise<unknown>;
  readonly end: () => Promise<void>;
}

async function start(node: Node, folder: string): Promise<Service> {
  const program = path.join(repository, "packages", "service", "bin", "cloud-compute.js");
  const delay = path.join(repository, "test", "bench", "delay.mjs");
  const options = ["--port", "0", "--controls-port", "0", "--pace", "0", "--log", "error", "--data", folder];
  const child = spawn(node.program, ["--import", delay, program, "serve", ...options], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [line] = (await once(createInterface(child.stdout as NonNullable<typeof child.stdout>), "line")) as [string];
  const { url, controls, token } = JSON.parse(line) as Readonly<Record<"url" | "controls" | "token", string>>;
  return {
    measured: () => measuredOf(child),
    call: async (method, target, { body, filter }) => {
      const response = await fetch(`${url}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(filter === undefined ? {} : { "x-filter": filter }),
        },
        ...(body === undefined ? {} : { body }),
      });
      return response.json();
    },
    settle: async () => (await fetch(`${controls}/settle`, { method: "POST" })).json(),
    end: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

async function measuredOf(child: ChildProcess): Promise<Measured> {
  const answer = once(child, "message") as Promise<[Measured]>;
  child.send("measured");
  return (await answer)[0];
}
