import type { Identity } from "../http/identity.js";
import { isSuccessStatus } from "../http/status.js";
import { callOperation, findOperation } from "../http/target.js";
import type { CleanupContext } from "./cleanup-context.js";
import { describeObject, type CreatedObject } from "./created-objects.js";

/**
 * Deletes objects, each once.
 *
 * @returns The objects that still exist. A 404 counts as deleted.
 */
export async function deleteOnce(
  objects: readonly CreatedObject[],
  context: CleanupContext,
): Promise<readonly CreatedObject[]> {
  const left: CreatedObject[] = [];
  for (const each of objects) if (!(await deleteObject(each, context))) left.push(each);
  return left;
}

/**
 * Deletes objects, and repeats rejected deletions after the platform had time to finish its jobs.
 *
 * @returns One message for each remaining object.
 */
export async function deleteWithRetries(
  objects: readonly CreatedObject[],
  context: CleanupContext,
): Promise<readonly string[]> {
  const { jobs } = context;
  let left = objects;
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    if (round > 0) {
      if (jobs.isControlled) await jobs.settle();
      else await jobs.wait(Math.min(500 * 2 ** round, 10_000));
    }
    left = await deleteOnce(left, context);
  }
  return left.map(
    ({ record }) =>
      `${describeObject(record)} was not deleted: ${record.operation} created it, and ${record.deletedBy} failed.`,
  );
}

const maxRounds = 6;

async function deleteObject({ record, creator, worker }: CreatedObject, context: CleanupContext): Promise<boolean> {
  // The worker's user may do everything in its account, but cannot see objects that belong to another user.
  const owner = creator.account === worker.main.account ? worker.main : creator;
  const status = await remove(owner);
  const isOthers = !isSuccessStatus(status) && owner.token !== creator.token;
  if (!isSuccessStatus(isOthers ? await remove(creator) : status) && !isNotFound(status)) return false;
  context.createdObjects.remove(record);
  return true;

  async function remove(by: Identity): Promise<number> {
    const { target, throttle, log } = context;
    const { info, url, isControl } = findOperation(record.deletedBy, target) ?? {};
    if (info === undefined || url === undefined) return 0;
    const markResponse = isControl
      ? undefined
      : await throttle.acquire({ operation: record.deletedBy, info, by, isDelayed: true });
    log.requests++;
    try {
      const caller = isControl ? undefined : by;
      const response = await callOperation({ info, url, caller, path: record.path }, target);
      return response?.status ?? 0;
    } finally {
      markResponse?.();
    }
  }
}

function isNotFound(status: number): boolean {
  return status === 404 || status === 410;
}
