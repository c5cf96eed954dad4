import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Scenarios, Suite } from "@plumbline/conformance-runtime";
import type { Fault } from "../fault.js";
import { startFaultyService, type RunningService } from "../faulty-service.js";
import { routesOf } from "../matrix.js";
import type { ProxyRequest } from "../proxy.js";
import { repositoryRoot } from "../repository.js";
import type { Route } from "../routes.js";
import { moreFields, withFields, type BodyFields } from "./bodies.js";
import { operationsOf, readDescription, type DocumentNode } from "./description.js";
import { openToolWorker, type ToolJob, type ToolTest, type ToolWorker } from "./jobs.js";
import { toOpenApi30, responseSchemas } from "./openapi30.js";
import { createCollections, pathValues, collectionValues, type PortmanCollection } from "./portman.js";
import { prepareRequests } from "./prepared-requests.js";

export const peerTools = ["dredd", "portman"] as const;
export type PeerTool = (typeof peerTools)[number];

/** The verdict of a tool on a fault. */
export interface ToolVerdict {
  /** True when a test fails that passes without the fault. */
  readonly detected: boolean;
  readonly failed: readonly string[];
  /** Why there is no result. */
  readonly error?: string;
}

export interface PeerOutcome {
  readonly fault: Fault;
  readonly verdicts: Readonly<Record<PeerTool, ToolVerdict>>;
  /** True when the setup of the request failed. It counts as detected. */
  readonly unprepared: boolean;
  /** Seconds. */
  readonly durationSeconds: number;
}

/** The results of a tool without a fault. */
export interface SoundServiceResults {
  readonly tests: number;
  /** Tests that fail without a fault, with reasons. They are skipped. */
  readonly failing: readonly string[];
  readonly errors: readonly string[];
}

export interface ToolComparison {
  readonly outcomes: readonly PeerOutcome[];
  readonly sound: Readonly<Record<PeerTool, SoundServiceResults>>;
  readonly operations: number;
}

export interface ComparisonOptions {
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  readonly faults: readonly Fault[];
  /** The number of faults that run concurrently. */
  readonly concurrency: number;
  readonly log: (text: string) => void;
  readonly onOutcome?: (outcome: PeerOutcome, done: number) => void;
}

/** Runs both tools against the operation of each fault, with and without the fault. */
export async function compareTools(options: ComparisonOptions): Promise<ToolComparison> {
  const { suite, faults, concurrency, log, onOutcome } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "faults-peers-"));
  const accepted = new Set(suite.cases.filter(({ kind }) => kind === "accepts").map(({ operation }) => operation));
  const names = [...new Set(faults.map(({ operation }) => operation))].filter((each) => accepted.has(each)).toSorted();
  const context: ComparisonContext = {
    options,
    routes: routesOf(suite),
    document: await readDescription(),
    folder,
    collections: new Map(),
    more: new Map(),
  };
  const workers = Array.from({ length: concurrency }, openToolWorker);
  try {
    log(`a valid request of each of ${names.length} operations, and Portman's collections of them`);
    const all: ComparisonContext = { ...context, ...(await collectionsFor(context, names)) };
    log("both tools twice on a service without a fault");
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
      sound: { dredd: formatError(sound, "dredd"), portman: formatError(sound, "portman") },
      operations: names.length,
    };
  } finally {
    for (const worker of workers) worker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ComparisonContext {
  readonly options: ComparisonOptions;
  readonly routes: ReadonlyMap<string, Route>;
  readonly document: DocumentNode;
  readonly folder: string;
  readonly collections: ReadonlyMap<string, PortmanCollection>;
  /** Additional fields of an operation's valid body. */
  readonly more: ReadonlyMap<string, BodyFields>;
}

/** Results without a fault, by tool and operation. */
type BaselineResults = ReadonlyMap<string, { readonly tests: readonly ToolTest[]; readonly error?: string }>;

async function collectionsFor(
  context: ComparisonContext,
  names: readonly string[],
): Promise<Pick<ComparisonContext, "collections" | "more">> {
  const { options, document, folder } = context;
  const running = await startFaultyService(undefined, context.routes);
  try {
    const requests = new Map<string, ProxyRequest>();
    const more = new Map<string, BodyFields>();
    for (const [index, name] of names.entries()) {
      // All are prepared on one service, so their unique names must differ.
      const runId = `p${String(index).padStart(7, "0")}`;
      const prepared = await prepareRequests(running, preparing(context, name, { copies: 2, runId }));
      const [request, other] = prepared.requests;
      if (request === undefined || other === undefined) throw new Error(`The setup of ${name} failed without a fault.`);
      const fields = await moreFields(running, { document, name, requests: [other, request] });
      await prepared.close();
      more.set(name, fields);
      requests.set(name, withFields(request, fields));
    }
    return { collections: await createCollections({ suite: options.suite, document, requests, folder }), more };
  } finally {
    await running.close();
  }
}

async function onSound(
  context: ComparisonContext,
  { names, workers }: { readonly names: readonly string[]; readonly workers: readonly ToolWorker[] },
): Promise<BaselineResults> {
  const found = new Map<string, { readonly tests: readonly ToolTest[]; readonly error?: string }>();
  const twice = names.flatMap((name) => [name, name]);
  await shared(twice, workers, async (name, worker) => {
    const running = await startFaultyService(undefined, context.routes);
    try {
      const { results } = await bothOn(running, { around: context, name, worker });
      for (const tool of peerTools) {
        const before = found.get(`${tool} ${name}`);
        const { tests } = results[tool];
        const error = results[tool].error ?? before?.error;
        found.set(`${tool} ${name}`, {
          tests: [...(before?.tests ?? []), ...tests],
          ...(error === undefined ? {} : { error }),
        });
      }
    } finally {
      await running.close();
    }
  });
  return found;
}

async function onFault(
  context: ComparisonContext,
  { fault, worker, sound }: { readonly fault: Fault; readonly worker: ToolWorker; readonly sound: BaselineResults },
): Promise<PeerOutcome> {
  const started = performance.now();
  const took = (): number => (performance.now() - started) / 1000;
  if (!context.collections.has(fault.operation)) {
    const nothing = { detected: false, failed: [], error: `The suite has no valid request of ${fault.operation}.` };
    return { fault, verdicts: { dredd: nothing, portman: nothing }, unprepared: false, durationSeconds: took() };
  }
  const running = await startFaultyService(fault, context.routes);
  try {
    const { results, unprepared } = await bothOn(running, { around: context, name: fault.operation, worker });
    const verdictOf = (tool: PeerTool): ToolVerdict => {
      const before = sound.get(`${tool} ${fault.operation}`);
      return evaluateVerdict(results[tool], before ?? { tests: [] }, unprepared);
    };
    return {
      fault,
      verdicts: { dredd: verdictOf("dredd"), portman: verdictOf("portman") },
      unprepared,
      durationSeconds: took(),
    };
  } finally {
    await running.close();
  }
}

/** Evaluates the results of a tool with a fault, given its results without one. */
export function evaluateVerdict(
  found: { readonly tests: readonly ToolTest[]; readonly error?: string },
  sound: { readonly tests: readonly ToolTest[]; readonly error?: string },
  unprepared: boolean,
): ToolVerdict {
  if (unprepared) return { detected: true, failed: ["the setup of the request failed"] };
  const failing = new Set(sound.tests.filter((each) => each.failed).map(({ name }) => name));
  const failed = found.tests.filter((each) => each.failed && !failing.has(each.name)).map(({ name }) => name);
  const ended = found.error !== undefined && sound.error === undefined;
  return {
    detected: failed.length > 0 || ended,
    failed: [...new Set(failed)],
    ...(found.error === undefined ? {} : { error: found.error }),
  };
}

interface Both {
  readonly results: Readonly<Record<PeerTool, { readonly tests: readonly ToolTest[]; readonly error?: string }>>;
  readonly unprepared: boolean;
}

async function bothOn(
  running: RunningService,
  {
    around: context,
    name,
    worker,
  }: { readonly around: ComparisonContext; readonly name: string; readonly worker: ToolWorker },
): Promise<Both> {
  const { document, collections, more } = context;
  const prepared = await prepareRequests(running, preparing(context, name, { copies: 2, runId: "compare0" }));
  try {
    const [first, second] = prepared.requests;
    const collection = collections.get(name);
    if (first === undefined || second === undefined || collection === undefined) {
      return { results: { dredd: { tests: [] }, portman: { tests: [] } }, unprepared: true };
    }
    const dredd = await attempt(
      worker,
      dreddJob(context, { name, request: withFields(first, more.get(name) ?? {}), running }),
    );
    const variables = collectionValues(collection, { document, name, request: second, running });
    const portman = await attempt(worker, { tool: "newman", collection: collection.file, variables });
    return { results: { dredd, portman }, unprepared: false };
  } finally {
    await prepared.close();
  }
}

let files = 0;

function dreddJob(
  { document, folder }: ComparisonContext,
  {
    name,
    request,
    running,
  }: { readonly name: string; readonly request: ProxyRequest; readonly running: RunningService },
): ToolJob {
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
    description: write(`${name}.json`, toOpenApi30(document, name)),
    hooks: path.join(repositoryRoot, "test", "faults", "peers", "dredd-hooks.cjs"),
    request: write(`request-${(files += 1)}.json`, {
      request: { target: base + request.target, headers, body: request.body },
      unknown: ids.length === 0 ? null : base + template.replaceAll(/\{[^}]+\}/g, "987654321"),
      schemas: responseSchemas(document, name),
    }),
  };
}

async function attempt(
  worker: ToolWorker,
  job: ToolJob,
): Promise<{ readonly tests: readonly ToolTest[]; readonly error?: string }> {
  try {
    return { tests: await worker.run(job) };
  } catch (error) {
    return { tests: [], error: error instanceof Error ? error.message : String(error) };
  }
}

function preparing(
  { options: { suite, scenarios }, routes }: ComparisonContext,
  operation: string,
  rest: { readonly copies: number; readonly runId: string },
): Parameters<typeof prepareRequests>[1] {
  return { suite, routes, operation, ...rest, ...(scenarios === undefined ? {} : { scenarios }) };
}

function formatError(sound: BaselineResults, tool: PeerTool): SoundServiceResults {
  const own = [...sound].filter(([key]) => key.startsWith(`${tool} `));
  const all = own.flatMap(([key, { tests }]) =>
    tests.map((each) => ({ ...each, name: `${key.slice(tool.length + 1)}: ${each.name}` })),
  );
  const failing = new Map(all.flatMap(({ name, failed, reason = "" }) => (failed ? [[name, reason]] : [])));
  return {
    tests: new Set(all.map(({ name }) => name)).size,
    failing: [...failing].map(([name, why]) => `${name}: ${why}`),
    errors: own.flatMap(([key, { error }]) => (error === undefined ? [] : [`${key}: ${error}`])),
  };
}

/** Distributes jobs among workers. */
async function shared<T>(
  things: readonly T[],
  workers: readonly ToolWorker[],
  work: (thing: T, worker: ToolWorker) => Promise<void>,
): Promise<void> {
  const left = [...things];
  await Promise.all(
    workers.map(async (worker) => {
      for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing, worker);
    }),
  );
}
