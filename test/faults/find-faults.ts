import type { Case, CaseResult } from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";
import { editsOf, withWireFault } from "./faulty-service.js";
import {
  errorMessage,
  routesOf,
  runCases,
  runConcurrently,
  evaluateSoundness,
  type FaultMatrix,
  type MatrixOptions,
} from "./matrix.js";
import { isAttributed, evaluateOutcome, caseStages } from "./outcomes.js";
import type { Route } from "./routes.js";
import { sourcesOf, type RunningService, type ServiceProcess } from "./services.js";

export interface FindingOptions extends Omit<MatrixOptions, "onOutcome"> {
  /** The process of the services. */
  readonly services: ServiceProcess;
}

/**
 * A short form of the matrix: faults that do not concern each other share a service, which has to be loaded again for its edits. For each fault
 * the likely cases run first, until one finds it. Then these cases run without a fault.
 */
export async function findFaults(options: FindingOptions): Promise<FaultMatrix> {
  const { suite, faults } = options;
  const context: Context = { options, routes: routesOf(suite) };
  const groups = groupFaults(faults);
  const reports = (await runConcurrently(groups, { ...options, run: (group) => reportsOn(group, context) })).flat();
  const failed = new Set(reports.flatMap(({ results }) => results.filter(hasFailed).map((each) => each.case)));
  const cases = suite.cases.filter((each) => failed.has(each));
  const { passing, ...sound } = evaluateSoundness(await soundResults(cases, options));
  const inOrder = reports.toSorted((a, b) => faults.indexOf(a.fault) - faults.indexOf(b.fault));
  const outcomes = inOrder.map(({ fault, durationSeconds, error, ...report }) => ({
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

interface SharedService extends Context {
  readonly service: RunningService;
  readonly runId: string;
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

/** Divides faults into groups of different operations and requirements, whose edits can be made together. */
export function groupFaults(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const groups: Fault[][] = [];
  for (const fault of faults) {
    const group = groups.find(
      (others) => !others.some((other) => concernSame(other, fault)) && canEdit([...others, fault]),
    );
    if (group === undefined) groups.push([fault]);
    else group.push(fault);
  }
  return groups;
}

function concernSame(a: Fault, b: Fault): boolean {
  return a.operation === b.operation || a.requirements.some((requirement) => b.requirements.includes(requirement));
}

function canEdit(faults: readonly Fault[]): boolean {
  try {
    return sourcesOf(faults.flatMap(editsOf)) !== undefined;
  } catch {
    return false;
  }
}

/** The results of the faults of a group, one after another. */
async function reportsOn(group: readonly Fault[], context: Context): Promise<readonly FaultReport[]> {
  const service = await context.options.services.start(group.flatMap(editsOf));
  try {
    const reports: FaultReport[] = [];
    for (const [place, fault] of group.entries())
      reports.push(await reportOn(fault, { ...context, service, runId: `fault${String(place).padStart(2, "0")}` }));
    return reports;
  } finally {
    await service.close();
  }
}

/** The results of a fault's cases, as far as they ran. */
async function reportOn(fault: Fault, { options, routes, service, runId }: SharedService): Promise<FaultReport> {
  const started = performance.now();
  const duration = (): number => (performance.now() - started) / 1000;
  const running = await withWireFault(service, { fault, routes });
  try {
    let results: Results = { results: [], requests: 0 };
    for (const [stageIndex, cases] of caseStages(fault, options.suite).entries()) {
      const isLast = (result: CaseResult): boolean => finds(result, fault);
      const stage = await runUntil(running, cases, { ...options, runId: `${runId}${stageIndex}`, isLast });
      results = { results: [...results.results, ...stage.results], requests: results.requests + stage.requests };
      if (stage.results.some((each) => finds(each, fault))) break;
    }
    return { fault, ...results, durationSeconds: duration() };
  } catch (error) {
    return { fault, results: [], requests: 0, durationSeconds: duration(), error: errorMessage(error) };
  } finally {
    await running.close();
  }
}

/** The results of cases without a fault. */
async function soundResults(cases: readonly Case[], options: FindingOptions): Promise<readonly CaseResult[]> {
  const service = await options.services.start([]);
  try {
    return (await runUntil(service, cases, { ...options, isLast: () => false })).results;
  } finally {
    await service.close();
  }
}

interface RunUntilOptions extends FindingOptions {
  readonly runId?: string;
  readonly isLast: (result: CaseResult) => boolean;
}

/** Runs cases until the result of one is the last that is needed. */
async function runUntil(
  service: RunningService,
  cases: readonly Case[],
  { isLast, ...options }: RunUntilOptions,
): Promise<Results> {
  const found = new AbortController();
  return runCases(service, {
    ...options,
    cases,
    // Each worker first creates an account, and the first few cases find most faults.
    workers: 1,
    signal: found.signal,
    onResult: (result) => {
      if (isLast(result)) found.abort();
    },
  });
}

function finds(result: CaseResult, fault: Fault): boolean {
  return hasFailed(result) && isAttributed(result, fault);
}

function hasFailed({ status }: CaseResult): boolean {
  return status === "fail";
}
