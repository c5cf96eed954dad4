import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Scenarios, Suite } from "@plumbline/conformance-runtime";
import type { Fault } from "../fault.js";
import { startFaulty, type Running } from "../faulty.js";
import { routesOf } from "../matrix.js";
import { repository } from "../places.js";
import type { Asked } from "../proxy.js";
import type { Route } from "../routes.js";
import { moreFields, withFields, type Fields } from "./bodies.js";
import { operationsOf, readDescription, type Node } from "./description.js";
import { openWorker, type Job, type Test, type Worker } from "./jobs.js";
import { olderDescription, replySchemas } from "./older.js";
import { collectionsOf, pathValues, valuesOf, type Collection } from "./portman.js";
import { prepare } from "./preparing.js";

export const tools = ["dredd", "portman"] as const;
export type Tool = (typeof tools)[number];

/** The verdict of a tool on a fault. */
export interface Verdict {
  /** True when a test fails that passes without the fault. */
  readonly detected: boolean;
  readonly failed: readonly string[];
  /** Why there is no result. */
  readonly problem?: string;
}

export interface PeerOutcome {
  readonly fault: Fault;
  readonly verdicts: Readonly<Record<Tool, Verdict>>;
  /** True when the setup of the request failed. It counts as detected. */
  readonly unprepared: boolean;
  /** Seconds. */
  readonly took: number;
}

/** The results of a tool without a fault. */
export interface Sound {
  readonly tests: number;
  /** Tests that fail without a fault, with reasons. They are skipped. */
  readonly failing: readonly string[];
  readonly problems: readonly string[];
}

export interface Comparison {
  readonly outcomes: readonly PeerOutcome[];
  readonly sound: Readonly<Record<Tool, Sound>>;
  readonly operations: number;
}

export interface ComparingOptions {
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  readonly faults: readonly Fault[];
  /** The number of faults that run concurrently. */
  readonly atOnce: number;
  readonly say: (text: string) => void;
  readonly onOutcome?: (outcome: PeerOutcome, done: number) => void;
}

/** Runs both tools against the operation of each fault, with and without the fault. */
export async function compare(options: ComparingOptions): Promise<Comparison> {
  const { suite, faults, atOnce, say, onOutcome } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "faults-peers-"));
  const accepted = new Set(suite.cases.filter(({ kind }) => kind === "accepts").map(({ operation }) => operation));
  const names = [...new Set(faults.map(({ operation }) => operation))].filter((each) => accepted.has(each)).toSorted();
  const around: Around = {
    options,
    routes: routesOf(suite),
    document: await readDescription(),
    folder,
    collections: new Map(),
    more: new Map(),
  };
  const workers = Array.from({ length: atOnce }, openWorker);
  try {
    say(`a valid request of each of ${names.length} operations, and Portman's collections of them`);
    const all: Around = { ...around, ...(await collectionsFor(around, names)) };
    say("both tools twice on a service without a fault");
    const sound = await onSound(all, { names, workers });
    const outcomes: PeerOutcome[] = [];
    await shared(faults, workers, async (fault, worker) => {
      const outcome = await onFault(all, { fault, worker, sound });
      outcomes.push(outcome);
      onOutcome?.(outcome, outcomes.length);
    });
    const order = new Map(faults.map((fault, index) => [fault, index]));
    return {
      outcomes: outcomes.toSorted((a, b) => (order.get(a.fault) ?? 0) - (order.get(b.fault) ?? 0)),
      sound: { dredd: told(sound, "dredd"), portman: told(sound, "portman") },
      operations: names.length,
    };
  } finally {
    for (const worker of workers) worker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Around {
  readonly options: ComparingOptions;
  readonly routes: ReadonlyMap<string, Route>;
  readonly document: Node;
  readonly folder: string;
  readonly collections: ReadonlyMap<string, Collection>;
  /** Additional fields of an operation's valid body. */
  readonly more: ReadonlyMap<string, Fields>;
}

/** Results without a fault, by tool and operation. */
type SoundResults = ReadonlyMap<string, { readonly tests: readonly Test[]; readonly problem?: string }>;

async function collectionsFor(around: Around, names: readonly string[]): Promise<Pick<Around, "collections" | "more">> {
  const { options, document, folder } = around;
  const running = await startFaulty(undefined, around.routes);
  try {
    const requests = new Map<string, Asked>();
    const more = new Map<string, Fields>();
    for (const [index, name] of names.entries()) {
      // All are prepared on one service, so their unique names must differ.
      const runId = `p${String(index).padStart(7, "0")}`;
      const prepared = await prepare(running, preparing(around, name, { copies: 2, runId }));
      const [request, other] = prepared.requests;
      if (request === undefined || other === undefined) throw new Error(`The setup of ${name} failed without a fault.`);
      const fields = await moreFields(running, { document, name, requests: [other, request] });
      await prepared.close();
      more.set(name, fields);
      requests.set(name, withFields(request, fields));
    }
    return { collections: await collectionsOf({ suite: options.suite, document, requests, folder }), more };
  } finally {
    await running.close();
  }
}

async function onSound(
  around: Around,
  { names, workers }: { readonly names: readonly string[]; readonly workers: readonly Worker[] },
): Promise<SoundResults> {
  const found = new Map<string, { readonly tests: readonly Test[]; readonly problem?: string }>();
  const twice = names.flatMap((name) => [name, name]);
  await shared(twice, workers, async (name, worker) => {
    const running = await startFaulty(undefined, around.routes);
    try {
      const { results } = await bothOn(running, { around, name, worker });
      for (const tool of tools) {
        const before = found.get(`${tool} ${name}`);
        const { tests, problem } = results[tool];
        const why = problem ?? before?.problem;
        found.set(`${tool} ${name}`, {
          tests: [...(before?.tests ?? []), ...tests],
          ...(why === undefined ? {} : { problem: why }),
        });
      }
    } finally {
      await running.close();
    }
  });
  return found;
}

async function onFault(
  around: Around,
  { fault, worker, sound }: { readonly fault: Fault; readonly worker: Worker; readonly sound: SoundResults },
): Promise<PeerOutcome> {
  const started = performance.now();
  const took = (): number => (performance.now() - started) / 1000;
  if (!around.collections.has(fault.operation)) {
    const nothing = { detected: false, failed: [], problem: `The suite has no valid request of ${fault.operation}.` };
    return { fault, verdicts: { dredd: nothing, portman: nothing }, unprepared: false, took: took() };
  }
  const running = await startFaulty(fault, around.routes);
  try {
    const { results, unprepared } = await bothOn(running, { around, name: fault.operation, worker });
    const verdictOf = (tool: Tool): Verdict => {
      const before = sound.get(`${tool} ${fault.operation}`);
      return verdict(results[tool], before ?? { tests: [] }, unprepared);
    };
    return { fault, verdicts: { dredd: verdictOf("dredd"), portman: verdictOf("portman") }, unprepared, took: took() };
  } finally {
    await running.close();
  }
}

/** Evaluates the results of a tool with a fault, given its results without one. */
export function verdict(
  found: { readonly tests: readonly Test[]; readonly problem?: string },
  sound: { readonly tests: readonly Test[]; readonly problem?: string },
  unprepared: boolean,
): Verdict {
  if (unprepared) return { detected: true, failed: ["the setup of the request failed"] };
  const failing = new Set(sound.tests.filter((each) => each.failed).map(({ name }) => name));
  const failed = found.tests.filter((each) => each.failed && !failing.has(each.name)).map(({ name }) => name);
  const ended = found.problem !== undefined && sound.problem === undefined;
  return {
    detected: failed.length > 0 || ended,
    failed: [...new Set(failed)],
    ...(found.problem === undefined ? {} : { problem: found.problem }),
  };
}

interface Both {
  readonly results: Readonly<Record<Tool, { readonly tests: readonly Test[]; readonly problem?: string }>>;
  readonly unprepared: boolean;
}

async function bothOn(
  running: Running,
  { around, name, worker }: { readonly around: Around; readonly name: string; readonly worker: Worker },
): Promise<Both> {
  const { document, collections, more } = around;
  const prepared = await prepare(running, preparing(around, name, { copies: 2, runId: "compare0" }));
  try {
    const [first, second] = prepared.requests;
    const collection = collections.get(name);
    if (first === undefined || second === undefined || collection === undefined) {
      return { results: { dredd: { tests: [] }, portman: { tests: [] } }, unprepared: true };
    }
    const dredd = await attempt(
      worker,
      dreddJob(around, { name, request: withFields(first, more.get(name) ?? {}), running }),
    );
    const variables = valuesOf(collection, { document, name, request: second, running });
    const portman = await attempt(worker, { tool: "newman", collection: collection.file, variables });
    return { results: { dredd, portman }, unprepared: false };
  } finally {
    await prepared.close();
  }
}

let files = 0;

function dreddJob(
  { document, folder }: Around,
  { name, request, running }: { readonly name: string; readonly request: Asked; readonly running: Running },
): Job {
  const work = path.join(folder, "dredd");
  mkdirSync(work, { recursive: true });
  const write = (file: string, value: unknown): string => {
    const at = path.join(work, file);
    writeFileSync(at, JSON.stringify(value));
    return at;
  };
  const { origin, pathname: base } = new URL(running.url);
  const { path: template } = operationsOf(document).get(name) ?? { path: "" };
  const ids = Object.keys(pathValues(template, request.target));
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([header]) => ["authorization", "content-type", "accept"].includes(header)),
  );
  return {
    tool: "dredd",
    server: origin,
    description: write(`${name}.json`, olderDescription(document, name)),
    hooks: path.join(repository, "test", "faults", "peers", "dredd-hooks.cjs"),
    request: write(`request-${(files += 1)}.json`, {
      request: { target: base + request.target, headers, body: request.body },
      unknown: ids.length === 0 ? null : base + template.replaceAll(/\{[^}]+\}/g, "987654321"),
      schemas: replySchemas(document, name),
    }),
  };
}

async function attempt(
  worker: Worker,
  job: Job,
): Promise<{ readonly tests: readonly Test[]; readonly problem?: string }> {
  try {
    return { tests: await worker.run(job) };
  } catch (error) {
    return { tests: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function preparing(
  { options: { suite, scenarios }, routes }: Around,
  operation: string,
  rest: { readonly copies: number; readonly runId: string },
): Parameters<typeof prepare>[1] {
  return { suite, routes, operation, ...rest, ...(scenarios === undefined ? {} : { scenarios }) };
}

function told(sound: SoundResults, tool: Tool): Sound {
  const own = [...sound].filter(([key]) => key.startsWith(`${tool} `));
  const all = own.flatMap(([key, { tests }]) =>
    tests.map((each) => ({ ...each, name: `${key.slice(tool.length + 1)}: ${each.name}` })),
  );
  const failing = new Map(all.flatMap(({ name, failed, why = "" }) => (failed ? [[name, why]] : [])));
  return {
    tests: new Set(all.map(({ name }) => name)).size,
    failing: [...failing].map(([name, why]) => `${name}: ${why}`),
    problems: own.flatMap(([key, { problem }]) => (problem === undefined ? [] : [`${key}: ${problem}`])),
  };
}

/** Distributes jobs among workers. */
async function shared<T>(
  things: readonly T[],
  workers: readonly Worker[],
  work: (thing: T, worker: Worker) => Promise<void>,
): Promise<void> {
  const left = [...things];
  await Promise.all(
    workers.map(async (worker) => {
      for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing, worker);
    }),
  );
}
