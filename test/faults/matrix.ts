import {
  runSuite,
  type Case,
  type CaseResult,
  type RunReport,
  type Scenarios,
  type Suite,
} from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";
import { startFaultyService, type RunningService } from "./faulty-service.js";
import { casesForFault, evaluateOutcome, type FaultOutcome } from "./outcomes.js";
import type { Route } from "./routes.js";

export interface MatrixOptions {
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** The number of faults that run concurrently. */
  readonly concurrency: number;
  readonly onOutcome?: (outcome: FaultOutcome, done: number) => void;
}

export interface FaultMatrix {
  readonly outcomes: readonly FaultOutcome[];
  /** Cases that fail without a fault, with reasons. */
  readonly alarms: readonly FalseAlarm[];
  /** Cases that could not be run without a fault. */
  readonly errors: readonly string[];
  readonly cases: number;
}

export interface FalseAlarm {
  readonly id: string;
  readonly message: string;
}

/** Runs the cases of each fault on a service with the fault, and all cases once without a fault. */
export async function runMatrix(options: MatrixOptions): Promise<FaultMatrix> {
  const { suite, faults, onOutcome } = options;
  const routes = routesOf(suite);
  const selected = new Set(faults.flatMap((fault) => casesForFault(fault, suite)));
  const cases = suite.cases.filter((each) => selected.has(each));
  const { passing, ...sound } = evaluateSoundness((await reportOn(undefined, { options, routes, cases })).results);
  let done = 0;
  const run = async (fault: Fault): Promise<FaultOutcome> => {
    const outcome = await outcomeOn(fault, { options, routes, passing });
    onOutcome?.(outcome, (done += 1));
    return outcome;
  };
  return { outcomes: await runConcurrently(faults, { ...options, run }), ...sound };
}

/**
 * Runs a function for each item, with limited concurrency.
 *
 * @returns The results in the order of the items.
 */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  { concurrency, run }: { readonly concurrency: number; readonly run: (item: Item) => Promise<Result> },
): Promise<readonly Result[]> {
  const results = new Map<Item, Result>();
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.set(item, await run(item));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return items.flatMap((item) => results.get(item) ?? []);
}

/** The results without a fault, with the ids of passed cases. */
export function evaluateSoundness(
  results: readonly CaseResult[],
): Omit<FaultMatrix, "outcomes"> & { readonly passing: ReadonlySet<string> } {
  const withStatus = (status: string): readonly CaseResult[] => results.filter((each) => each.status === status);
  return {
    passing: new Set(withStatus("pass").map((each) => each.case.id)),
    alarms: withStatus("fail").map((each) => ({ id: each.case.id, message: messageOf(each) })),
    errors: withStatus("error").map((each) => each.case.id),
    cases: results.length,
  };
}

/** The routes of a suite's operations. */
export function routesOf({ operations }: Suite): ReadonlyMap<string, Route> {
  return new Map(
    Object.entries(operations).map(([name, { method, path, parameters }]) => {
      const segments = parameters
        .filter((each) => each.in === "path")
        .map((each) => [each.name, each.segments] as const);
      return [name, { method, path, segments: Object.fromEntries(segments) }];
    }),
  );
}

interface MatrixContext {
  readonly options: MatrixOptions;
  readonly routes: ReadonlyMap<string, Route>;
}

async function outcomeOn(
  fault: Fault,
  { passing, ...context }: MatrixContext & { readonly passing: ReadonlySet<string> },
): Promise<FaultOutcome> {
  const started = performance.now();
  const took = (): number => (performance.now() - started) / 1000;
  const cases = casesForFault(fault, context.options.suite);
  try {
    const report = await reportOn(fault, { ...context, cases });
    return { ...evaluateOutcome(fault, report, passing), durationSeconds: took() };
  } catch (error) {
    const nothing = { detected: false, attributed: false, failed: [], errors: 0, requests: 0 };
    return { fault, ...nothing, cases: cases.length, durationSeconds: took(), error: errorMessage(error) };
  }
}

async function reportOn(
  fault: Fault | undefined,
  { options, routes, cases }: MatrixContext & { readonly cases: readonly Case[] },
): Promise<RunReport> {
  const running = await startFaultyService(fault, routes);
  try {
    // Few cases need few workers: each worker first creates an account.
    return await runCases(running, { ...options, cases, workers: cases.length > 200 ? 8 : 3 });
  } finally {
    await running.close();
  }
}

export interface RunCasesOptions extends Pick<MatrixOptions, "suite" | "scenarios" | "seed"> {
  readonly cases: readonly Case[];
  readonly workers: number;
  /** What makes names of a run unique on its service. Default: `faults00`. */
  readonly runId?: string;
  readonly onResult?: (result: CaseResult) => void;
  readonly signal?: AbortSignal;
}

/** Runs cases on a service until all have run or the signal aborts. */
export async function runCases({ url, controls, token }: RunningService, options: RunCasesOptions): Promise<RunReport> {
  const { suite, scenarios, cases, seed, workers, runId = "faults00", onResult, signal } = options;
  const late = AbortSignal.timeout(timeoutSeconds * 1000);
  return runSuite(suite, {
    url,
    controls,
    credentials: { main: token },
    cases,
    seed,
    runId,
    workers,
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(onResult === undefined
      ? {}
      : { onProgress: (progress) => progress.kind === "case" && onResult(progress.result) }),
  });
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function messageOf({ failures: [first] }: CaseResult): string {
  return first === undefined ? "" : `${first.message}: expected ${first.expected}, received ${first.received}`;
}

/** A service that no longer responds does not block the matrix: its remaining cases do not run. */
const timeoutSeconds = 240;
