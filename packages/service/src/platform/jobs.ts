import { setImmediate } from "node:timers/promises";
import { isUnavailable } from "@plumbline/server-runtime";
import { sql } from "kysely";
import type { Logger } from "pino";
import { allOf, rowsOf, type Condition } from "../store/database.js";
import { givenUpDue, type JobRow } from "../store/rows.js";
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
  /** Called after each run of a job. */
  readonly onOutcome?: ((kind: string, outcome: JobOutcome) => void) | undefined;
  /** Creates the unit of work of a handler. */
  readonly workOf: (tx: Transaction) => UnitOfWork;
}

/** How a run of a job ended. One that is given up has failed, too. */
export type JobOutcome = "done" | "failed" | "given-up";

/**
 * Runs the jobs of the platform when they are due. A job is a row. The replica that gets the lock of its account runs it, in one transaction with
 * all its effects: no job runs twice, and another replica runs the unfinished job of a killed one.
 */
export class Jobs {
  readonly #options: JobsOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> = Promise.resolve();
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

  /** Makes jobs due that were given up, for one more run each: a program that starts may be one in which they work. */
  async retryGivenUp(): Promise<void> {
    const { store, clock } = this.#options;
    const now = Math.round(clock.now());
    const query = sql`select account || '', id from jobs where due >= ${givenUpDue}`;
    for (const [account, id] of await store.survey(now, ({ database }) => rowsOf(query, database)))
      await store.write({ account: String(account), now }, async (tx) => {
        const job = await tx.jobs.get(Number(id));
        if (job?.due === givenUpDue) await tx.jobs.update({ ...job, due: now, failures: maxFailures });
      });
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
        const next = await this.#next(sql`nature = 'transient' and due < ${givenUpDue}`);
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
    let ran = 0;
    for (;;) {
      const accounts = this.#isClosed ? [] : await this.#dueAccounts();
      if (accounts.length === 0) return ran;
      const done = await this.#runTurns(accounts);
      // All are busy, in requests or in other replicas: wait for one of them.
      ran += done === 0 ? await this.#runNextOf(accounts[0] ?? "", "wait") : done;
    }
  }

  /** Accounts take turns: a job does not wait for all earlier jobs of another account. Returns the number of jobs that ran. */
  async #runTurns(accounts: readonly string[]): Promise<number> {
    let ran = 0;
    let waiting = accounts;
    for (let turn = 0; turn < maxTurns && waiting.length > 0 && !this.#isClosed; turn += 1) {
      waiting = await this.#runTurn(waiting);
      ran += waiting.length;
    }
    return ran;
  }

  /** Runs the first due job of each account. Returns the accounts whose job ran here. */
  async #runTurn(accounts: readonly string[]): Promise<readonly string[]> {
    const served: string[] = [];
    for (let first = 0; first < accounts.length && !this.#isClosed; first += accountsAtOnce) {
      const some = accounts.slice(first, first + accountsAtOnce);
      const results = await Promise.allSettled(some.map((account) => this.#runNextOf(account, "skip if busy")));
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected") throw result.reason;
        if (result.value === 1) served.push(some[index] ?? "");
      }
      // The embedded store never waits, so years of jobs would block all requests and signals.
      await setImmediate();
    }
    return served;
  }

  /**
   * Accounts with due jobs, those with the earliest ones first. One search finds the accounts of many jobs. The expression keeps databases from
   * reading all jobs in the order of their accounts.
   */
  async #dueAccounts(): Promise<readonly string[]> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const due = allOf([this.#unheld(), sql`due <= ${now}`]);
    const found = await store.survey(now, ({ database }) =>
      rowsOf(
        sql`select account || '' from jobs where ${due} group by account || '' order by min(due), min(id) limit ${maxAccounts}`,
        database,
      ),
    );
    return found.map(([account]) => String(account));
  }

  /** Runs the first due job of an account. Returns 1 if it ran, and 0 if there is none, or the account is busy. */
  async #runNextOf(account: string, how: "wait" | "skip if busy"): Promise<0 | 1> {
    const now = this.#options.clock.now();
    const job = await this.#next(allOf([sql`account = ${account}`, this.#unheld(), sql`due <= ${now}`]));
    return job !== undefined && (await this.#run(job, how)) ? 1 : 0;
  }

  /** On hold, the platform completes no transient states. Deadlines still pass. */
  #unheld(): Condition {
    return this.#options.clock.isHeld ? sql`nature = 'deadline'` : allOf([]);
  }

  async #next(condition: Condition): Promise<JobRow | undefined> {
    const { store, clock } = this.#options;
    return store.survey(clock.now(), async (tx) => {
      const query = sql`select doc from jobs where ${condition} order by due, id limit 1`;
      const [found] = await rowsOf(query, tx.database);
      return found && (JSON.parse(String(found[0])) as JobRow);
    });
  }

  /** Runs a job with the time at which it was due, however late it is. Returns whether it ran here. */
  async #run(dueJob: JobRow, how: "wait" | "skip if busy"): Promise<boolean> {
    const { store, handlers, workOf, log, onOutcome } = this.#options;
    const scope = { account: dueJob.account, now: dueJob.due };
    try {
      const runJob = async (tx: Transaction): Promise<boolean> => {
        const job = await tx.jobs.get(dueJob.id);
        if (job === undefined || job.due !== dueJob.due) return false;
        await tx.jobs.remove([job.id]);
        const handler = handlers[job.kind];
        if (handler === undefined) throw new Error(`nothing does ${job.kind}`);
        await handler(workOf(tx), job);
        return true;
      };
      const wasThere = how === "wait" ? await store.write(scope, runJob) : await store.writeUnlessBusy(scope, runJob);
      if (wasThere !== true) return false;
      log.debug({ job: dueJob }, "a job was done");
      onOutcome?.(dueJob.kind, "done");
      return true;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, job: dueJob }, "a job failed");
      onOutcome?.(dueJob.kind, "failed");
      await this.#postpone(dueJob);
      return false;
    }
  }

  /** A failed job runs again, at growing intervals from now on. After a day and a half it is given up: it stays, and its event has failed. */
  async #postpone(failed: JobRow): Promise<void> {
    const { store, clock, workOf, log, onOutcome } = this.#options;
    const isGivenUp = await store.write({ account: failed.account, now: failed.due }, async (tx) => {
      const job = await tx.jobs.get(failed.id);
      if (job === undefined || job.due !== failed.due) return false;
      const failures = job.failures + 1;
      const isLast = failures > maxFailures;
      const due = isLast ? givenUpDue : Math.round(clock.now()) + 2 ** failures * 1000;
      await tx.jobs.update({ ...job, failures, due });
      if (isLast) await workOf(tx).finishEvent(job.event, "failed");
      return isLast;
    });
    if (!isGivenUp) return;
    log.error({ job: failed }, "a job was given up; the next start tries it once more");
    onOutcome?.(failed.kind, "given-up");
  }
}

const maxFailures = 16;
const maxRounds = 100_000;
/** Accounts of one search, and jobs of each of them before the next search. */
const maxAccounts = 100;
/** Accounts whose jobs run at the same time: most of a job is waiting for the store. */
const accountsAtOnce = 4;
const maxTurns = 64;

/** Milliseconds. Replicas get notices of new jobs, and still search regularly. */
const maxWaitMs = 1000;
const minWaitMs = 1;
const retryAfterMs = 500;
