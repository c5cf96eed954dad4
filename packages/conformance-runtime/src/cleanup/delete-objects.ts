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
  const remaining: CreatedObject[] = [];
  for (const each of objects) if (!(await deleteObject(each, context))) remaining.push(each);
  return remaining;
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
  let remaining = objects;
  for (let round = 0; round < maxRounds && remaining.length > 0; round++) {
    if (round > 0) {
      if (jobs.isControlled) await jobs.settle();
      else await jobs.wait(Math.min(500 * 2 ** round, 10_000));
    }
    remaining = await deleteOnce(remaining, context);
  }
  return remaining.map(
    ({ record }) =>
      `${describeObject(record)} was not deleted: ${record.operation} created it, and ${record.deletedBy} failed.`,
  );
}

const maxRounds = 6;
const maxTries = 3;
const maxWaitSeconds = 10;

async function deleteObject({ record, creator, worker }: CreatedObject, context: CleanupContext): Promise<boolean> {
  // The worker's user may do everything in its account, but cannot see objects that belong to another user.
  const owner = creator.account === worker.main.account ? worker.main : creator;
  const first = await remove(owner);
  const own = isSuccessStatus(first) || isNotFound(first) ? first : await releaseAndRemove(first);
  const isOthers = !isSuccessStatus(own) && owner.token !== creator.token;
  const last = isOthers ? await remove(creator) : own;
  if (!isSuccessStatus(last) && !isNotFound(own) && !hasEnded(last, record.deletedBy, context)) return false;
  context.createdObjects.remove(record);
  return true;

  /** The object may be in a state in which nothing deletes it, but out of which an operation leads. */
  async function releaseAndRemove(rejected: number): Promise<number> {
    const releases = context.target.operations[record.operation]?.creates?.deletedBy?.releasedBy ?? [];
    for (const release of releases) if (isSuccessStatus(await remove(owner, release))) return remove(owner);
    return rejected;
  }

  /** A rate limit delays the deletion, for a short time. */
  async function remove(by: Identity, operation = record.deletedBy): Promise<number> {
    for (let tries = 1; ; tries++) {
      const { status, retrySeconds } = await callOnce(by, operation);
      if (status !== 429 || tries === maxTries || context.jobs.isControlled || retrySeconds > maxWaitSeconds)
        return status;
      await context.jobs.wait(retrySeconds * 1000);
    }
  }

  async function callOnce(
    by: Identity,
    operation: string,
  ): Promise<{ readonly status: number; readonly retrySeconds: number }> {
    const { target, throttle, log } = context;
    const { info, url, isControl } = findOperation(operation, target) ?? {};
    if (info === undefined || url === undefined) return { status: 0, retrySeconds: 0 };
    const markResponse = isControl ? undefined : await throttle.acquire({ operation, info, by, isDelayed: true });
    log.requests++;
    try {
      const caller = isControl ? undefined : by;
      const response = await callOperation({ info, url, caller, path: record.path }, target);
      return { status: response?.status ?? 0, retrySeconds: Number(response?.headers["retry-after"] ?? 1) };
    } finally {
      markResponse?.();
    }
  }
}

/** A rejected end means that the object has ended before. */
function hasEnded(status: number, operation: string, { target }: CleanupContext): boolean {
  return target.operations[operation]?.ends !== undefined && status >= 400 && status < 500 && status !== 429;
}

function isNotFound(status: number): boolean {
  return status === 404 || status === 410;
}
