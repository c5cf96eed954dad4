import { NoResponseError } from "../http/http-client.js";
import { describeObject, type CreatedObject } from "./created-objects.js";
import { prepareRequest } from "../http/request.js";
import type { Identity, StepContext } from "../run/step-context.js";

/**
 * Deletes objects, each once.
 *
 * @returns The objects that still exist. A 404 counts as deleted.
 */
export async function deleteOnce(
  held: readonly CreatedObject[],
  stage: StepContext,
): Promise<readonly CreatedObject[]> {
  const left: CreatedObject[] = [];
  for (const each of held) if (!(await deleteObject(each, stage))) left.push(each);
  return left;
}

/**
 * Deletes objects, and repeats rejected deletions after the platform had time to finish its jobs.
 *
 * @returns One message for each remaining object.
 */
export async function deleteWithRetries(
  held: readonly CreatedObject[],
  stage: StepContext,
): Promise<readonly string[]> {
  const { clock, timer } = stage.run;
  let left = held;
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    if (round > 0) {
      if (clock.isControlled) await clock.settle(stage);
      else await timer.wait(Math.min(500 * 2 ** round, 10_000));
    }
    left = await deleteOnce(left, stage);
  }
  return left.map(
    ({ record }) =>
      `${describeObject(record)} was not deleted: ${record.operation} created it, and ${record.deletedBy} failed.`,
  );
}

const maxRounds = 6;

async function deleteObject({ record, creator, worker }: CreatedObject, stage: StepContext): Promise<boolean> {
  // The worker's user may do everything in its account, but cannot see objects that belong to another user.
  const owner = creator.account === worker.main.account ? worker.main : creator;
  const status = await remove(owner);
  const isOthers = isRejected(status) && owner.token !== creator.token;
  if (isRejected(isOthers ? await remove(creator) : status) && !isNotFound(status)) return false;
  stage.run.createdObjects.remove(record);
  return true;

  async function remove(by: Identity): Promise<number> {
    const { run, log } = stage;
    const isControl = record.deletedBy.startsWith("controls:");
    const name = isControl ? record.deletedBy.slice("controls:".length) : record.deletedBy;
    const facts = isControl ? run.suite.controls[name] : run.suite.operations[name];
    const url = isControl ? run.options.controls : run.options.url;
    if (facts === undefined || url === undefined) return 0;
    const step = { call: record.deletedBy, path: record.path };
    const { request } = prepareRequest(step, {
      url: url.replace(/\/$/, ""),
      info: facts,
      values: stage.values,
      caller: isControl ? undefined : by,
      userAgent: `${run.suite.command}/${run.suite.version}`,
    });
    const answered = isControl
      ? undefined
      : await run.throttle.acquire({ operation: name, info: facts, by, isDelayed: true });
    run.requests.sent++;
    log.requests++;
    try {
      return (await run.http.send(request)).status;
    } catch (error) {
      if (error instanceof NoResponseError) return 0;
      throw error;
    } finally {
      answered?.();
    }
  }
}

function isRejected(status: number): boolean {
  return status < 200 || status >= 300;
}

function isNotFound(status: number): boolean {
  return status === 404 || status === 410;
}
