import type { Case, CaseResult } from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";
import { startFaultyServiceIn } from "./faulty-service.js";
import { isAttributed, evaluateOutcome, caseStages } from "./outcomes.js";
import {
  errorMessage,
  routesOf,
  runCases,
  runConcurrently,
  evaluateSoundness,
  type FaultMatrix,
  type MatrixOptions,
} from "./matrix.js";
import type { Route } from "./routes.js";
import type { ServiceProcess } from "./services.js";

export interface FindingOptions extends Omit<MatrixOptions, "onOutcome"> {
  /** The process of the services. */
  readonly services: ServiceProcess;
}

/**
 * A short form of the matrix: for each fault the likely cases run first, until one finds it. Then these cases run without a fault.
 */
export async function findFaults(options: FindingOptions): Promise<FaultMatrix> {
  const { suite, faults } = options;
  const context: Context = { options, routes: routesOf(suite) };
  const reports = await runConcurrently(faults, { ...options, run: (fault) => reportOn(fault, context) });
  const failed = new Set(reports.flatMap(({ results }) => results.filter(hasFailed).map((each) => each.case)));
  const cases = suite.cases.filter((each) => failed.has(each));
  const { passing, ...sound } = evaluateSoundness((await resultsOn(undefined, { ...context, cases })).results);
  const outcomes = reports.map(({ fault, durationSeconds, error, ...report }) => ({
    ...evaluateOutcome(fault, report, passing),
    durationSeconds,
    ...(error === undefined ? {} : { error }),
  }));
  return { outcomes, ...sound };
}

interface Context {
  readonly options: FindingOptions;
  readonly routes: ReadonlyMap<string, Route>;
}

interface Results {
  readonly results: readonly CaseResult[];
  readonly requests: number;
}

interface FaultReport extends Results {
  readonly fault: Fault;
  /** Seconds. */
  readonly durationSeconds: number;
  readonly error?: string;
}

/** The results of a fault's cases, as far as they ran. */
async function reportOn(fault: Fault, context: Context): Promise<FaultReport> {
  const started = performance.now();
  const duration = (): number => (performance.now() - started) / 1000;
  try {
    let results: Results = { results: [], requests: 0 };
    for (const cases of caseStages(fault, context.options.suite)) {
      const stage = await resultsOn(fault, { ...context, cases });
      results = { results: [...results.results, ...stage.results], requests: results.requests + stage.requests };
      if (stage.results.some((each) => finds(each, fault))) break;
    }
    return { fault, ...results, durationSeconds: duration() };
  } catch (error) {
    return { fault, results: [], requests: 0, durationSeconds: duration(), error: errorMessage(error) };
  }
}

/** Runs cases on a new service until one finds the fault. */
async function resultsOn(
  fault: Fault | undefined,
  { options, routes, cases }: Context & { readonly cases: readonly Case[] },
): Promise<Results> {
  const running = await startFaultyServiceIn(options.services, { fault, routes });
  const found = new AbortController();
  try {
    return await runCases(running, {
      ...options,
      cases,
      // Each worker first creates an account, and the first few cases find most faults.
      workers: 1,
      signal: found.signal,
      onResult: (result) => {
        if (fault !== undefined && finds(result, fault)) found.abort();
      },
    });
  } finally {
    await running.close();
  }
}

function finds(result: CaseResult, fault: Fault): boolean {
  return hasFailed(result) && isAttributed(result, fault);
}

function hasFailed({ status }: CaseResult): boolean {
  return status === "fail";
}
