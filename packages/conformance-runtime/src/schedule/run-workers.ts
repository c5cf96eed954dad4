import { deleteWithRetries } from "../cleanup/delete-objects.js";
import { findAccountChanges } from "../cleanup/find-account-changes.js";
import { deleteImplicitCreations } from "../cleanup/implicit-creations.js";
import { readAccountSnapshot } from "../cleanup/read-account-snapshot.js";
import { createCleanupContext } from "../run/cleanup-context.js";
import { openWorker, workerContext, type WorkerOptions } from "../run/open-worker.js";
import type { RunContext } from "../run/run-context.js";
import type { Worker } from "../run/worker.js";
import { formatError } from "../values/format-error.js";

/** The maximum number of workers: one account each. */
export function maxWorkers(run: RunContext, requested = 8): number {
  return run.capabilities.has("users") ? requested : 1;
}

/** Opens a worker of a run. With test controls it has an account of its own. It remembers what its account has. */
export async function openRunWorker(
  run: RunContext,
  { index, owner }: Pick<WorkerOptions, "index" | "owner">,
): Promise<Worker> {
  const account = run.capabilities.has("users") ? `${run.tag}-account-${index}` : null;
  const worker = await openWorker(run, { index, owner, account });
  const initialSnapshot = await readAccountSnapshot({
    target: run.target,
    caller: worker.main,
    throttle: run.throttle,
  });
  return { ...worker, initialSnapshot };
}

/** Deletes what still exists, then compares the accounts with their snapshots. */
export async function finishWorkers(workers: readonly Worker[], run: RunContext): Promise<readonly string[]> {
  const reported = await Promise.all(
    workers.map(async (worker) => {
      const context = createCleanupContext(workerContext(run, worker));
      try {
        const remaining = [
          ...(await deleteWithRetries(run.createdObjects.ownedBy(worker), context)),
          ...(await deleteImplicitCreations(context)),
        ];
        return remaining.length > 0 ? remaining : await findAccountChanges(context);
      } catch (error) {
        return [`The cleanup failed: ${formatError(error)}`];
      }
    }),
  );
  return reported.flat();
}
