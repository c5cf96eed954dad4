import {
  runSuite,
  type Case,
  type CaseResult,
  type RunReport,
  type Scenarios,
  type Suite,
} from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";
import { startFaulty, type Running } from "./faulty.js";
import { casesFor, outcomeOf, type Outcome } from "./judging.js";
import type { Route } from "./routes.js";

export interface MatrixOptions {
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** The number of faults that run concurrently. */
  readonly atOnce: number;
  readonly onOutcome?: (outcome: Outcome, done: number) => void;
}

export interface Matrix {
  readonly outcomes: readonly Outcome[];
  /** Cases that fail without a fault, with reasons. */
  readonly alarms: readonly Alarm[];
  /** Cases that could not be run without a fault. */
  readonly couldNotRun: readonly string[];
  readonly cases: number;
}

export interface Alarm {
  readonly id: string;
  readonly message: string;
}

/** Runs the cases of each fault on a service with the fault, and all cases once without a fault. */
export async function runMatrix(options: MatrixOptions): Promise<Matrix> {
  const { suite, faults, onOutcome } = options;
  const routes = routesOf(suite);
  const selected = new Set(faults.flatMap((fault) => casesFor(fault, suite)));
  const cases = suite.cases.filter((each) => selected.has(each));
  const { passing, ...sound } = soundnessOf((await reportOn(undefined, { options, routes, cases })).results);
  let done = 0;
  const run = async (fault: Fault): Promise<Outcome> => {
    const outcome = await outcomeOn(fault, { options, routes, passing });
    onOutcome?.(outcome, (done += 1));
    return outcome;
  };
  return { outcomes: await sideBySide(faults, { ...options, run }), ...sound };
}

/**
 * Runs a function for each fault, with limited concurrency.
 *
 * @returns The results in the order of the faults.
 */
export async function sideBySide<T>(
  faults: readonly Fault[],
  { atOnce, run }: { readonly atOnce: number; readonly run: (fault: Fault) => Promise<T> },
): Promise<readonly T[]> {
  const found = new Map<Fault, T>();
  const left = [...faults];
  const worker = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) found.set(fault, await run(fault));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return faults.flatMap((fault) => found.get(fault) ?? []);
}

/** The results without a fault, with the ids of passed cases. */
export function soundnessOf(
  results: readonly CaseResult[],
): Omit<Matrix, "outcomes"> & { readonly passing: ReadonlySet<string> } {
  const withStatus = (status: string): readonly CaseResult[] => results.filter((each) => each.status === status);
  return {
    passing: new Set(withStatus("pass").map((each) => each.case.id)),
    alarms: withStatus("fail").map((each) => ({ id: each.case.id, message: messageOf(each) })),
    couldNotRun: withStatus("could-not-run").map((each) => each.case.id),
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

interface Around {
  readonly options: MatrixOptions;
  readonly routes: ReadonlyMap<string, Route>;
}

async function outcomeOn(
  fault: Fault,
  { passing, ...around }: Around & { readonly passing: ReadonlySet<string> },
): Promise<Outcome> {
  const started = performance.now();
  const took = (): number => (performance.now() - started) / 1000;
  const cases = casesFor(fault, around.options.suite);
  try {
    const report = await reportOn(fault, { ...around, cases });
    return { ...outcomeOf(fault, report, passing), took: took() };
  } catch (error) {
    const nothing = { detected: false, attributed: false, failed: [], couldNotRun: 0, requests: 0 };
    return { fault, ...nothing, cases: cases.length, took: took(), problem: problemOf(error) };
  }
}

async function reportOn(
  fault: Fault | undefined,
  { options, routes, cases }: Around & { readonly cases: readonly Case[] },
): Promise<RunReport> {
  const running = await startFaulty(fault, routes);
  try {
    // Few cases need few lanes: each lane first creates an account.
    return await runCases(running, { ...options, cases, workers: cases.length > 200 ? 8 : 3 });
  } finally {
    await running.close();
  }
}

export interface RunCasesOptions extends Pick<MatrixOptions, "suite" | "scenarios" | "seed"> {
  readonly cases: readonly Case[];
  readonly workers: number;
  readonly onResult?: (result: CaseResult) => void;
  readonly signal?: AbortSignal;
}

/** Runs cases on a service until all have run or the signal aborts. */
export async function runCases({ url, controls, token }: Running, options: RunCasesOptions): Promise<RunReport> {
  const { suite, scenarios, cases, seed, workers, onResult, signal } = options;
  const late = AbortSignal.timeout(mostSeconds * 1000);
  return runSuite(suite, {
    url,
    controls,
    credentials: { main: token },
    cases,
    seed,
    runId: "faults00",
    workers,
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(onResult === undefined
      ? {}
      : { onProgress: (progress) => progress.kind === "case" && onResult(progress.result) }),
  });
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function messageOf({ differences: [first] }: CaseResult): string {
  return first === undefined ? "" : `${first.message}: expected ${first.expected}, received ${first.received}`;
}

/** A service that no longer responds does not block the matrix: its remaining cases do not run. */
const mostSeconds = 240;
