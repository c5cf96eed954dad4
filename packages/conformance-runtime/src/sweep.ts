import { NoAnswer } from "./http.js";
import { told, type Held } from "./ledger.js";
import { prepare } from "./request.js";
import type { Identity, Stage } from "./stage.js";

/**
 * Deletes objects, each once.
 *
 * @returns The objects that still exist. A 404 counts as deleted.
 */
export async function sweepOnce(held: readonly Held[], stage: Stage): Promise<readonly Held[]> {
  const left: Held[] = [];
  for (const each of held) if (!(await takeAway(each, stage))) left.push(each);
  return left;
}

/**
 * Deletes objects, and repeats rejected deletions after the platform had time to finish its jobs.
 *
 * @returns One message for each remaining object.
 */
export async function sweep(held: readonly Held[], stage: Stage): Promise<readonly string[]> {
  const { clock, timer } = stage.run;
  let left = held;
  for (let round = 0; round < mostRounds && left.length > 0; round++) {
    if (round > 0) {
      if (clock.isControlled) await clock.settle(stage);
      else await timer.wait(Math.min(500 * 2 ** round, 10_000));
    }
    left = await sweepOnce(left, stage);
  }
  return left.map(
    ({ made }) => `${told(made)} was not deleted: ${made.operation} created it, and ${made.remove} failed.`,
  );
}

const mostRounds = 6;

async function takeAway({ made, maker, lane }: Held, stage: Stage): Promise<boolean> {
  // The lane's user may do everything in its account, but cannot see objects that belong to another user.
  const owner = maker.account === lane.main.account ? lane.main : maker;
  const status = await remove(owner);
  const isOthers = isRefused(status) && owner.token !== maker.token;
  if (isRefused(isOthers ? await remove(maker) : status) && !isNotFound(status)) return false;
  stage.run.ledger.remove(made);
  return true;

  async function remove(by: Identity): Promise<number> {
    const { run, trail } = stage;
    const isControl = made.remove.startsWith("controls:");
    const name = isControl ? made.remove.slice("controls:".length) : made.remove;
    const facts = isControl ? run.suite.controls[name] : run.suite.operations[name];
    const url = isControl ? run.options.controls : run.options.url;
    if (facts === undefined || url === undefined) return 0;
    const step = { call: made.remove, path: made.path };
    const { sent } = prepare(step, {
      url: url.replace(/\/$/, ""),
      facts,
      values: stage.values,
      by: isControl ? undefined : by,
      userAgent: `${run.suite.command}/${run.suite.version}`,
    });
    const answered = isControl ? undefined : await run.pace.turn({ operation: name, facts, by, waits: true });
    run.requests.sent++;
    trail.requests++;
    try {
      return (await run.http.send(sent)).status;
    } catch (error) {
      if (error instanceof NoAnswer) return 0;
      throw error;
    } finally {
      answered?.();
    }
  }
}

function isRefused(status: number): boolean {
  return status < 200 || status >= 300;
}

function isNotFound(status: number): boolean {
  return status === 404 || status === 410;
}
