import { readJournal, type Made } from "./journal.js";
import { laneStage, openLane } from "./lanes.js";
import { told, type Held } from "./ledger.js";
import { isNamedByRun } from "./names.js";
import { openRun } from "./open.js";
import type { RunOptions } from "./results.js";
import type { Suite } from "./suite.js";
import { sweep } from "./sweep.js";
import { systemTimer } from "./timer.js";
import { newRunId } from "./unique.js";

export interface CleanOptions extends Pick<RunOptions, "url" | "controls" | "credentials"> {
  /** Path of the run's journal. */
  readonly journal: string;
  readonly runId: string;
}

export interface CleanReport {
  /** How many objects the journal listed as created and not deleted. */
  readonly found: number;
  readonly removed: number;
  /** One message for each object that could not be deleted. */
  readonly left: readonly string[];
}

/**
 * Deletes the objects that an interrupted run left on the server, newest first. Of objects that a request created by naming them it deletes
 * only those whose name begins with the run's tag: the owner of any other name is unknown.
 */
export async function cleanUp(suite: Suite, options: CleanOptions): Promise<CleanReport> {
  const found = readJournal(options.journal, options.runId);
  const { run, close } = openRun(suite, {
    ...options,
    seed: 0,
    started: new Date().toISOString(),
    note: () => undefined,
    timer: systemTimer,
  });
  try {
    const isOurs = (made: Made): boolean => made.named !== true || isNamedByRun(made, run.tag);
    const ours = found.filter(isOurs);
    const left = found
      .filter((made) => !isOurs(made))
      .map(
        (made) =>
          `${told(made)} was not deleted: ${made.operation} named it, and another client may own it. If not, delete it with ${made.remove}.`,
      );
    let removed = 0;
    for (const account of new Set(ours.map((made) => made.account))) {
      // A new tag: users of the interrupted run, and of its accounts, still exist.
      const here = { ...run, tag: `c${newRunId()}` };
      const isGiven = account === null || account === "stranger";
      const credentials =
        account === "stranger" && options.credentials.stranger !== undefined
          ? { main: options.credentials.stranger }
          : options.credentials;
      if (!isGiven && !run.capabilities.has("users")) {
        left.push(
          `The account ${account} cannot be reached without the server's test controls. Pass their address with --controls.`,
        );
        continue;
      }
      const lane = await openLane(
        { ...here, options: { ...run.options, credentials } },
        { index: 0, whose: 0, account: isGiven ? null : account },
      );
      const maker = isGiven ? { ...lane.main, account } : lane.main;
      const held = ours
        .filter((made) => made.account === account)
        .map((made): Held => ({ made, maker, lane: { ...lane, main: maker }, trail: laneStage(run, lane).trail }));
      for (const each of held) run.ledger.add(each);
      const behind = await sweep(held.toReversed(), laneStage(run, lane));
      left.push(...behind);
      removed += held.length - behind.length;
    }
    return { found: found.length, removed, left };
  } finally {
    close();
  }
}
