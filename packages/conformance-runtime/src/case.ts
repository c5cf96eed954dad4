import { forget } from "./fixtures.js";
import type { CaseResult, Difference } from "./results.js";
import { CannotRun, Differs, onStage, SuiteError, type Lane, type Run, type Stage } from "./stage.js";
import { perform } from "./steps.js";
import type { Case } from "./suite.js";
import { sweepOnce } from "./sweep.js";
import { Unavailable } from "./template.js";
import { exchangesOf, newTrail } from "./trail.js";
import { uniqueValues } from "./unique.js";

export interface CaseContext {
  readonly run: Run;
  readonly lane: Lane;
  /** Unique in the run. */
  readonly index: number;
}

/** Runs a case in a lane, then deletes the objects that it created. */
export async function runCase(each: Case, { run, lane, index }: CaseContext): Promise<CaseResult> {
  const missing = each.needs.filter((need) => !run.capabilities.has(need));
  const nothing = { case: each, missing, differences: [], exchanges: [], requests: 0, took: 0 };
  if (missing.length > 0) return { ...nothing, status: "skipped" };

  const started = performance.now();
  const trail = newTrail();
  const reported: Difference[] = [];
  const cleaning: (() => Promise<void> | void)[] = [];
  const stage = onStage({
    run,
    lane,
    bound: new Map([["caller", { username: lane.main.username, account: lane.main.account }]]),
    unique: uniqueValues({ tag: run.tag, seed: run.seed, whose: index }),
    caller: lane.main,
    prepares: false,
    trail,
    requirements: each.requirements,
    perform,
    differ: (difference) => reported.push(difference),
    onEnd: (clean) => cleaning.push(clean),
  });
  const end = await play(each, stage);
  for (const clean of cleaning.toReversed())
    try {
      await clean();
    } catch (error) {
      run.note(`${each.id}: its onEnd callback failed: ${messageOf(error)}`);
    }
  const differences = [...reported, ...end.differences];
  const status = end.could ? (differences.length === 0 ? "pass" : "fail") : "could-not-run";
  const result: CaseResult = {
    ...nothing,
    status,
    differences: differences.map((difference) => withoutSecrets(difference, run)),
    exchanges: status === "pass" ? [] : exchangesOf(trail, run.secrets),
    requests: trail.requests,
    took: performance.now() - started,
  };
  await tidy(each, stage);
  if (status !== "pass") forget(lane);
  for (const secret of trail.secrets) run.secrets.forget(secret);
  return { ...result, requests: trail.requests };
}

interface End {
  readonly could: boolean;
  readonly differences: readonly Difference[];
}

async function play(each: Case, stage: Stage): Promise<End> {
  try {
    // Pending jobs of earlier cases would run during it and move the clock.
    if (each.alone === true) await stage.run.clock.settle(onStage(stage, { prepares: true }));
    for (const step of each.steps) {
      if (stage.run.signal.aborted) return cannot("The run was interrupted.");
      await stage.perform(step, stage);
    }
    return stage.trail.judged ? { could: true, differences: [] } : cannot("No step of the case checks anything.");
  } catch (error) {
    if (error instanceof SuiteError) throw new SuiteError(`${each.id}: ${error.message}`, { cause: error });
    if (error instanceof Differs) return { could: true, differences: error.differences };
    if (error instanceof CannotRun) return { could: false, differences: error.differences };
    if (error instanceof Unavailable) return cannot(`The setup of the case failed: ${error.message}`);
    return cannot(`The case cannot run: ${messageOf(error)}`);
  }

  function cannot(message: string): End {
    const difference = { message, expected: "a case that can run", received: "none", requirements: [] };
    return { could: false, differences: [difference] };
  }
}

/** Releases held jobs and deletes what the case created. Failed deletions are repeated at the end of the run. */
async function tidy(each: Case, stage: Stage): Promise<void> {
  const { run, trail } = stage;
  const quiet = onStage(stage, { prepares: true });
  try {
    if (run.clock.isControlled) await run.clock.hold(false, quiet);
    await sweepOnce(run.ledger.of(trail), quiet);
  } catch (error) {
    run.note(`${each.id}: its cleanup failed: ${messageOf(error)}`);
  }
}

function withoutSecrets(difference: Difference, { secrets }: Run): Difference {
  return {
    ...difference,
    message: secrets.text(difference.message),
    expected: secrets.text(difference.expected),
    received: secrets.text(difference.received),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
