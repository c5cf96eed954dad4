import { setImmediate } from "node:timers/promises";
import { isUnavailable } from "@plumbline/server-runtime";
import { sql } from "kysely";
import type { Logger } from "pino";
import { allOf, rowsOf, type Condition } from "../store/database.js";
import type { JobRow } from "../store/rows.js";
import type { Store } from "../store/store.js";
import type { Transaction } from "../store/transaction.js";
import type { UnitOfWork } from "../unit-of-work.js";
import type { Clock } from "./clock.js";

/** Does the work of a job, in a transaction that also deletes the job. */
export type JobHandler = (work: UnitOfWork, job: JobRow) => Promise<void>;

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface JobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: JobHandlers;
  readonly log: Logger;
  /** Creates the unit of work of a handler. */
  readonly workOf: (tx: Transaction) => UnitOfWork;
}

/**
 * Runs the jobs of the platform when they are due. A job is a row. The replica that gets the lock of its account runs it, in one transaction with
 * all its effects: no job runs twice, and another replica runs the unfinished job of a killed one.
 */
export class Jobs {
  readonly #options: JobsOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  /** Accounts that had a turn in this round. */
  readonly #served = new Set<string>();
  #isLooking = false;
  #isWanted = false;
  #isClosed = false;
  #isStoreGone = false;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Looks for due jobs, now and when the next one is due. */
  wake(): void {
    // Any number of calls during a search cause one more search.
    if (this.#isLooking) this.#isWanted = true;
    else this.#lookIn(0);
  }

  /** Runs due jobs in the order of their times. Returns their number. */
  async runDue(): Promise<number> {
    const ran = await this.#alone(() => this.#runDue());
    this.wake();
    return ran;
  }

  /** Moves the clock job by job, just far enough to end all transient states that jobs end. */
  settle(): Promise<number> {
    return this.#alone(async () => {
      const { clock } = this.#options;
      let ran = 0;
      for (let round = 0; round < maxRounds && !clock.isHeld && !this.#isClosed; round += 1) {
        const next = await this.#next(sql`nature = 'transient'`);
        if (next === undefined) return ran;
        const ahead = next.due - clock.now();
        if (ahead > 0) await clock.advance(ahead);
        ran += await this.#runDue();
      }
      return ran;
    });
  }

  /** Resolves when no job is running. */
  async rest(): Promise<void> {
    await this.#alone(async () => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #alone<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#running.then(task, task);
    this.#running = result.catch(() => {});
    return result;
  }

  async #tick(): Promise<void> {
    this.#isLooking = true;
    this.#isWanted = false;
    let wait: number;
    try {
      wait = await this.#alone(() => this.#runDueAndLook());
      this.#storeIsBack();
    } catch (error) {
      this.#lookingFailed(error);
      wait = retryAfterMs;
    }
    this.#isLooking = false;
    this.#lookIn(this.#isWanted ? 0 : wait);
  }

  /** Logs once for each loss of the store, since this runs twice a second. */
  #lookingFailed(error: unknown): void {
    const { log } = this.#options;
    if (!isUnavailable(error)) log.error({ err: error }, "the search for jobs failed");
    else if (!this.#isStoreGone) log.warn({ err: error }, "the store cannot be used; jobs wait until it can");
    this.#isStoreGone = isUnavailable(error);
  }

  #storeIsBack(): void {
    if (this.#isStoreGone) this.#options.log.info("the store can be used again");
    this.#isStoreGone = false;
  }

  #lookIn(wait: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), wait);
  }

  /** Runs due jobs. Returns the milliseconds until the next search. */
  async #runDueAndLook(): Promise<number> {
    await this.#runDue();
    const next = this.#isClosed ? undefined : await this.#next(this.#unheld());
    if (next === undefined) return maxWaitMs;
    return Math.min(maxWaitMs, Math.max(minWaitMs, next.due - this.#options.clock.now()));
  }

  async #runDue(): Promise<number> {
    const { clock } = this.#options;
    let ran = 0;
    for (;;) {
      if (this.#isClosed) return ran;
      const job = await this.#nextDue(clock.now());
      if (job === undefined) return ran;
      if (await this.#run(job)) ran += 1;
      // The embedded store never waits, so years of jobs would block all requests and signals.
      await setImmediate();
    }
  }

  /** The first due job of an account that had no turn while others waited: accounts take turns. */
  async #nextDue(now: number): Promise<JobRow | undefined> {
    const due = allOf([this.#unheld(), sql`due <= ${now}`]);
    const served = [...this.#served];
    const others = allOf([due, sql`account not in (${sql.join(served)})`]);
    const job = served.length === 0 ? undefined : await this.#next(others);
    const next = job ?? (await this.#next(due));
    // All waiting accounts had a turn, so another round starts.
    if (job === undefined || served.length >= maxAccountsPerRound) this.#served.clear();
    if (next !== undefined) this.#served.add(next.account);
    return next;
  }

  /** On hold, the platform completes no transient states. Deadlines still pass. */
  #unheld(): Condition {
    return this.#options.clock.isHeld ? sql`nature = 'deadline'` : allOf([]);
  }

  async #next(condition: Condition): Promise<JobRow | undefined> {
    const { store, clock } = this.#options;
    return store.read(clock.now(), async (tx) => {
      const query = sql`select doc from jobs where ${condition} order by due, id limit 1`;
      const [found] = await rowsOf(query, tx.database);
      return found && (JSON.parse(String(found[0])) as JobRow);
    });
  }

  /** Runs a job with the time at which it was due, however late it is. Returns whether the job still existed. */
  async #run(dueJob: JobRow): Promise<boolean> {
    const { store, handlers, workOf, log } = this.#options;
    const scope = { account: dueJob.account, now: dueJob.due };
    try {
      const wasThere = await store.write(scope, async (tx) => {
        const job = await tx.jobs.get(dueJob.id);
        if (job === undefined || job.due !== dueJob.due) return false;
        await tx.jobs.remove([job.id]);
        const handler = handlers[job.kind];
        if (handler === undefined) throw new Error(`nothing does ${job.kind}`);
        await handler(workOf(tx), job);
        return true;
      });
      if (wasThere) log.debug({ job: dueJob }, "a job was done");
      return wasThere;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, job: dueJob }, "a job failed");
      await store.write(scope, (tx) => postpone(tx, dueJob));
      return false;
    }
  }
}

/** A failed job is tried again, at growing intervals, for a day. */
async function postpone(tx: Parameters<Parameters<Store["write"]>[1]>[0], { id }: JobRow): Promise<void> {
  const job = await tx.jobs.get(id);
  if (job === undefined) return;
  const failures = job.failures + 1;
  if (failures > maxFailures) await tx.jobs.remove([id]);
  else await tx.jobs.update({ ...job, failures, due: job.due + 2 ** failures * 1000 });
}

const maxFailures = 16;
const maxRounds = 100_000;
const maxAccountsPerRound = 100;

/** Milliseconds. Replicas get notices of new jobs, and still search regularly. */
const maxWaitMs = 1000;
const minWaitMs = 1;
const retryAfterMs = 500;
