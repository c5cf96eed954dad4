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
  /** The journal that the run has written. */
  readonly journal: string;
  readonly runId: string;
}

export interface CleanReport {
  /** How many things of the run were still written down as there. */
  readonly found: number;
  readonly removed: number;
  /** What could not be taken away, in words. */
  readonly left: readonly string[];
}

/**
 * Takes away what a run has left behind that came to no end of its own. What it only named is taken away when the name is the run's own;
 * of other names nobody knows any more whose they are.
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
          `${told(made)} is left: ${made.operation} named it, and it may be somebody else's. Take it away with ${made.remove} if it is not.`,
      );
    let removed = 0;
    for (const account of new Set(ours.map((made) => made.account))) {
      // Another tag: the users of the run that broke off are still there, and so are those of the account before.
      const here = { ...run, tag: `c${newRunId()}` };
      const isGiven = account === null || account === "stranger";
      const credentials =
        account === "stranger" && options.credentials.stranger !== undefined
          ? { main: options.credentials.stranger }
          : options.credentials;
      if (!isGiven && !run.capabilities.has("users")) {
        left.push(
          `The account ${account} cannot be reached without the server's test controls. Give them with --controls.`,
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
