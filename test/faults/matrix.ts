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
  /** How many faults run side by side. */
  readonly atOnce: number;
  readonly onOutcome?: (outcome: Outcome, done: number) => void;
}

export interface Matrix {
  readonly outcomes: readonly Outcome[];
  /** Cases that fail without a fault, each with why. */
  readonly alarms: readonly Alarm[];
  /** Cases that could not be run without a fault. */
  readonly couldNotRun: readonly string[];
  readonly cases: number;
}

export interface Alarm {
  readonly id: string;
  readonly message: string;
}

/** Runs the cases of each fault on a service that has it, and once on one that has none. */
export async function runMatrix(options: MatrixOptions): Promise<Matrix> {
  const { suite, faults, atOnce, onOutcome } = options;
  const routes = routesOf(suite);
  const selected = new Set(faults.flatMap((fault) => casesFor(fault, suite)));
  const sound = await reportOn(undefined, { options, routes, cases: suite.cases.filter((each) => selected.has(each)) });
  const idsOf = (status: string): readonly string[] =>
    sound.results.filter((each) => each.status === status).map((each) => each.case.id);
  const passing = new Set(idsOf("pass"));
  const outcomes: Outcome[] = [];
  const left = [...faults];
  const worker = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const outcome = await outcomeOn(fault, { options, routes, passing });
      outcomes.push(outcome);
      onOutcome?.(outcome, outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const order = new Map(faults.map((fault, index) => [fault, index]));
  return {
    outcomes: outcomes.toSorted((a, b) => (order.get(a.fault) ?? 0) - (order.get(b.fault) ?? 0)),
    alarms: sound.results
      .filter((each) => each.status === "fail")
      .map((each) => ({ id: each.case.id, message: messageOf(each) })),
    couldNotRun: idsOf("could-not-run"),
    cases: sound.results.length,
  };
}

/** Where the operations of a suite are. */
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
    const problem = error instanceof Error ? error.message : String(error);
    const nothing = { detected: false, attributed: false, failed: [], couldNotRun: 0, requests: 0 };
    return { fault, ...nothing, cases: cases.length, took: took(), problem };
  }
}

async function reportOn(
  fault: Fault | undefined,
  { options, routes, cases }: Around & { readonly cases: readonly Case[] },
): Promise<RunReport> {
  const { suite, scenarios, seed } = options;
  const running: Running = await startFaulty(fault, routes);
  const { url, controls, token } = running;
  try {
    return await runSuite(suite, {
      url,
      controls,
      credentials: { main: token },
      cases,
      seed,
      runId: "faults00",
      // A few cases are not worth more: each lane makes an account of its own first.
      workers: cases.length > 200 ? 8 : 3,
      signal: AbortSignal.timeout(mostSeconds * 1000),
      ...(scenarios === undefined ? {} : { scenarios }),
    });
  } finally {
    await running.close();
  }
}

function messageOf({ differences: [first] }: CaseResult): string {
  return first === undefined ? "" : `${first.message}: expected ${first.expected}, received ${first.received}`;
}

/** A service that answers nothing any more has the rest of its cases not run. */
const mostSeconds = 240;
