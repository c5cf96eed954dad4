import type { CleanupContext } from "../cleanup/cleanup-context.js";
import { deleteOnce } from "../cleanup/delete-objects.js";
import type { Worker } from "./worker.js";

/**
 * A failed case may have changed shared objects, so later cases create new ones. The old ones are deleted, since they could exhaust a limit;
 * what cannot be deleted now is deleted at the end of the run.
 */
export async function discardSharedFixtures(worker: Worker, context: CleanupContext): Promise<void> {
  const logs = [...worker.sharedFixtures.values()].map(({ log }) => log);
  worker.sharedFixtures.clear();
  worker.identities.clear();
  worker.frame.world = undefined;
  for (const log of logs.toReversed()) await deleteOnce(context.createdObjects.ownedBy(log), context);
}
