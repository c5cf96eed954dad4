import type { AccountSnapshot } from "./account-snapshot.js";
import type { CleanupContext } from "./cleanup-context.js";
import { readAccountSnapshot } from "./read-account-snapshot.js";

/** Describes the objects that the run added to the worker's account or removed from it. Retries while jobs of the platform still run. */
export async function findAccountChanges(context: CleanupContext): Promise<readonly string[]> {
  const { jobs, target, throttle, worker } = context;
  for (let tries = 1; ; tries++) {
    await jobs.settle();
    const changes = describeChanges(await readAccountSnapshot({ target, caller: worker.main, throttle }), context);
    if (changes.length === 0 || tries === (jobs.isControlled ? 3 : 8)) return changes;
    if (!jobs.isControlled) await jobs.wait(Math.min(250 * 2 ** tries, 10_000));
  }
}

function describeChanges(after: AccountSnapshot, { target, controlIds, worker }: CleanupContext): readonly string[] {
  const whose = worker.account === null ? "The account" : `The account ${worker.account}`;
  return [...after].flatMap(([list, ids]) => {
    const earlier = worker.initialSnapshot.get(list);
    if (earlier === undefined) return [];
    const resource = target.operations[list]?.lists ?? list;
    const additions = [...ids].filter((id) => !earlier.has(id) && !controlIds.has(id));
    const lost = [...earlier].filter((id) => !ids.has(id));
    return [
      ...additions.map((id) => `${whose} has ${resource} ${id}, which it did not have before the run (${list}).`),
      ...lost.map((id) => `${whose} had ${resource} ${id} before the run, and it is gone now (${list}).`),
    ];
  });
}
