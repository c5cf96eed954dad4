import { deleteOnce } from "../cleanup/delete-objects.js";
import { AssertionError, MissingCapabilityError, SetupError, SuiteError } from "../errors.js";
import { redactExchanges, createExchangeLog } from "../http/exchange-log.js";
import type { CaseResult, AssertionFailure } from "../results.js";
import type { Capability, Case, Step } from "../suite.js";
import { formatError } from "../values/format-error.js";
import { UnavailableValueError } from "../values/template.js";
import { createUniqueGenerator } from "../values/unique-values.js";
import type { CaseContext } from "./case-context.js";
import { createCleanupContext } from "./cleanup-context.js";
import { provideWorld } from "./frame-world.js";
import { performStep } from "./perform-step.js";
import type { RunContext } from "./run-context.js";
import { fixtureRunner } from "./run-fixture.js";
import { discardSharedFixtures } from "./shared-objects.js";
import { createStepContext, type StepContext } from "./step-context.js";
import type { Worker } from "./worker.js";

export interface CasePlacement {
  readonly run: RunContext;
  readonly worker: Worker;
  /** Unique in the run. */
  readonly index: number;
}

/** Runs a case in a worker, then deletes the objects that it created. On a controlled clock, one that was too slow for its window runs again. */
export async function runCase(each: Case, placement: CasePlacement): Promise<CaseResult> {
  let result = await runOnce(each, placement);
  for (let time = 1; time < maxRuns && wasTooSlow(result, placement); time += 1) {
    const { requests, durationMs } = result;
    const again = await runOnce(each, { ...placement, index: placement.index + time * ownersOfRun });
    result = { ...again, requests: again.requests + requests, durationMs: again.durationMs + durationMs };
  }
  return result;
}

/** True if the run has a clock, and the case was skipped for lack of one. */
function wasTooSlow({ missing }: CaseResult, { run }: CasePlacement): boolean {
  return missing.includes("clock") && run.capabilities.has("clock");
}

const maxRuns = 3;

/** More than a suite has cases: what a further run creates has names of its own. */
const ownersOfRun = 100_000;

async function runOnce(each: Case, { run, worker, index }: CasePlacement): Promise<CaseResult> {
  const missing = each.requires.filter((need) => !run.capabilities.has(need));
  const initial = { case: each, missing, failures: [], exchanges: [], requests: 0, durationMs: 0 };
  if (missing.length > 0) return { ...initial, status: "skipped" };

  const started = performance.now();
  const log = createExchangeLog();
  const reported: AssertionFailure[] = [];
  const cleaning: (() => Promise<void> | void)[] = [];
  const caseContext: CaseContext = {
    run,
    worker,
    unique: createUniqueGenerator({ tag: run.tag, seed: run.seed, owner: index }),
    log,
    requirements: each.requirements,
    reportFailure: (difference) => reported.push(difference),
    onEnd: (clean) => cleaning.push(clean),
  };
  const { username, account } = worker.main;
  const context = createStepContext({
    caseContext,
    variables: new Map([["caller", { username, account }]]),
    caller: worker.main,
    isSetup: false,
    isFull: each.kind === "frame",
    performStep,
  });
  const end = await runSteps(each, context);
  for (const clean of cleaning.toReversed())
    try {
      await clean();
    } catch (error) {
      run.note(`${each.id}: its onEnd callback failed: ${formatError(error)}`);
    }
  const differences = [...reported, ...end.failures];
  const status =
    end.missing !== undefined ? "skipped" : end.could ? (differences.length === 0 ? "pass" : "fail") : "error";
  const result: CaseResult = {
    ...initial,
    status,
    missing: end.missing === undefined ? [] : [end.missing],
    failures: differences.map((difference) => withoutSecrets(difference, run)),
    exchanges: status === "pass" || status === "skipped" ? [] : redactExchanges(log, run.secrets),
    requests: log.requests,
    durationMs: performance.now() - started,
  };
  await cleanUpCase(each, context, status === "pass" || status === "skipped");
  for (const secret of log.secrets) run.secrets.forget(secret);
  return { ...result, requests: log.requests };
}

interface CaseOutcome {
  readonly could: boolean;
  /** What the run lacks for the case. */
  readonly missing?: Capability;
  readonly failures: readonly AssertionFailure[];
}

/** A clock that stands still would tell whether the server or the connection is at fault. */
const tooSlow: CaseOutcome = { could: false, missing: "clock", failures: [] };

async function runSteps(each: Case, context: StepContext): Promise<CaseOutcome> {
  const { run, log } = context.caseContext;
  let began = { here: 0, there: 0 };
  try {
    // Pending jobs of earlier cases would run during it and move the clock.
    if (each.exclusive === true) await run.clock.settle(fixtureRunner(context));
    began = await readTimes();
    // Before its setup, which would be a part of it.
    if (each.kind === "frame") await provideWorld(context);
    for (const step of each.steps) {
      if (run.signal.aborted) return cannot("The run was interrupted.");
      await performStep(step, context);
      // An actor may have waited until its window was empty.
      if ("advance" in step || "actor" in step) began = await beganAfter(step);
    }
    return log.hasAssertions ? { could: true, failures: [] } : cannot("No step of the case checks anything.");
  } catch (error) {
    if (error instanceof SuiteError) throw new SuiteError(`${each.id}: ${error.message}`, { cause: error });
    if (error instanceof MissingCapabilityError) return { could: false, missing: error.capability, failures: [] };
    if (error instanceof AssertionError)
      return (await isTooSlow()) ? tooSlow : { could: true, failures: error.failures };
    // A setup that fails at the operation under test is its failure.
    if (error instanceof SetupError) return { could: error.operation === each.operation, failures: error.failures };
    if (error instanceof UnavailableValueError) return cannot(`The setup of the case failed: ${error.message}`);
    return cannot(`The case cannot run: ${formatError(error)}`);
  }

  /**
   * Whether the window of the rate ended between its requests. The clock of the server may be moved, or stand; where it runs, it says whole
   * seconds, and this machine the rest.
   */
  async function isTooSlow(): Promise<boolean> {
    const { windowSeconds = Infinity } = each;
    const now = await readTimes().catch(() => began);
    const there = now.there - began.there;
    return (there > 0 ? Math.max(there, now.here - began.here) : there) > windowSeconds * 1000;
  }

  /** After an advance of the server's clock, the time before it counts as well: it is as if the clock had stood there already. */
  async function beganAfter(step: Step): Promise<typeof began> {
    const now = await readTimes();
    if (!("advance" in step) || !run.clock.isControlled) return now;
    return { here: began.here, there: now.there - (now.here - began.here) };
  }

  /** In milliseconds, here and on the server. A case without a window need not know them. */
  async function readTimes(): Promise<typeof began> {
    if (each.windowSeconds === undefined) return began;
    const here = run.timer.now();
    return { here, there: run.clock.isControlled ? await run.clock.refresh(fixtureRunner(context)) : here };
  }

  function cannot(message: string): CaseOutcome {
    const difference = { message, expected: "a case that can run", received: "none", requirements: [] };
    return { could: false, failures: [difference] };
  }
}

/** Releases held jobs and deletes what the case created. Failed deletions are repeated at the end of the run. */
async function cleanUpCase(each: Case, context: StepContext, hasPassed: boolean): Promise<void> {
  const { run, worker, log } = context.caseContext;
  try {
    if (run.clock.isControlled) await run.clock.hold(false, fixtureRunner(context));
    const cleanup = createCleanupContext(context);
    // In an account of its own, what the case creates can stay, so that the next one need not read everything again.
    if (each.kind === "frame" && hasPassed && run.capabilities.has("users")) return;
    worker.frame.changes++;
    await deleteOnce(run.createdObjects.ownedBy(log), cleanup);
    if (hasPassed) return;
    await discardSharedFixtures(worker, cleanup);
  } catch (error) {
    run.note(`${each.id}: its cleanup failed: ${formatError(error)}`);
  }
}

function withoutSecrets(failure: AssertionFailure, { secrets }: RunContext): AssertionFailure {
  const { difference } = failure;
  return {
    ...failure,
    message: secrets.text(failure.message),
    expected: secrets.text(failure.expected),
    received: secrets.text(failure.received),
    ...(difference === undefined
      ? {}
      : {
          difference: {
            ...difference,
            expected: secrets.text(difference.expected),
            received: secrets.text(difference.received),
          },
        }),
  };
}
