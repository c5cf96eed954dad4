import { describeObject, type CreatedObject } from "./cleanup/created-objects.js";
import { deleteWithRetries } from "./cleanup/delete-objects.js";
import { hasRunTag } from "./cleanup/implicit-creations.js";
import { readJournal, type CreationRecord } from "./cleanup/journal.js";
import { createExchangeLog } from "./http/exchange-log.js";
import type { RunOptions } from "./results.js";
import { createCleanupContext } from "./run/cleanup-context.js";
import { openRun } from "./run/open-run.js";
import { workerContext, openWorker } from "./run/open-worker.js";
import type { Suite } from "./suite.js";
import { createRunId } from "./values/unique-values.js";

export interface CleanUpOptions extends Pick<RunOptions, "url" | "controls" | "credentials"> {
  /** Path of the run's journal. */
  readonly journal: string;
  readonly runId: string;
}

export interface CleanUpReport {
  /** How many objects the journal listed as created and not deleted. */
  readonly found: number;
  readonly removed: number;
  /** One message for each object that could not be deleted. */
  readonly remaining: readonly string[];
}

/**
 * Deletes the objects that an interrupted run left on the server, newest first. Of objects that a request created by naming them it deletes
 * only those whose name begins with the run's tag: the owner of any other name is unknown.
 */
export async function cleanUp(suite: Suite, options: CleanUpOptions): Promise<CleanUpReport> {
  const records = readJournal(options.journal, options.runId);
  const { run, close } = openRun(suite, {
    ...options,
    seed: 0,
    started: new Date().toISOString(),
    note: () => undefined,
  });
  try {
    const isOurs = (record: CreationRecord): boolean => record.isImplicit !== true || hasRunTag(record, run.tag);
    const ours = records.filter(isOurs);
    const remaining = records
      .filter((record) => !isOurs(record))
      .map(
        (record) =>
          `${describeObject(record)} was not deleted: ${record.operation} named it, and another client may own it. If not, delete it with ${record.deletedBy}.`,
      );
    let removed = 0;
    for (const account of new Set(ours.map((record) => record.account))) {
      const isGiven = account === null || account === "other-account";
      const credentials =
        account === "other-account" && options.credentials.otherAccount !== undefined
          ? { main: options.credentials.otherAccount }
          : options.credentials;
      if (!isGiven && !run.capabilities.has("users")) {
        remaining.push(
          `The account ${account} cannot be reached without the server's test controls. Pass their address with --controls.`,
        );
        continue;
      }
      // A new tag: users of the interrupted run, and of its accounts, still exist.
      const worker = await openWorker(
        { ...run, tag: `c${createRunId()}`, credentials },
        { index: 0, owner: 0, account: isGiven ? null : account },
      );
      const maker = isGiven ? { ...worker.main, account } : worker.main;
      const objects = ours
        .filter((record) => record.account === account)
        .map((record): CreatedObject => ({
          record,
          creator: maker,
          worker: { ...worker, main: maker },
          log: createExchangeLog(),
        }));
      for (const each of objects) run.createdObjects.add(each);
      const behind = await deleteWithRetries(objects.toReversed(), createCleanupContext(workerContext(run, worker)));
      remaining.push(...behind);
      removed += objects.length - behind.length;
    }
    return { found: records.length, removed, remaining };
  } finally {
    close();
  }
}
