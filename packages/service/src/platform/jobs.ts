import { setImmediate } from "node:timers/promises";
import { isUnavailable } from "@plumbline/server-runtime";
import { sql } from "kysely";
import type { Logger } from "pino";
import { all, rowsOf, type Condition } from "../store/database.js";
import type { JobRow } from "../store/rows.js";
import type { Store } from "../store/store.js";
import type { Tx } from "../store/tx.js";
import type { Work } from "../work.js";
import type { Clock } from "./clock.js";

/** Does what a job is for, in a transaction of its own, in which it is also taken away. */
export type JobHandler = (work: Work, job: JobRow) => Promise<void>;

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface JobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: JobHandlers;
  readonly log: Logger;
  /** Makes what a handler works with. */
  readonly workOf: (tx: Tx) => Work;
}

/**
 * Runs the jobs of the platform when they are due. A job is a row: whichever replica gets the lock of its account runs it, in one transaction with all
 * that it does, so that none is run twice, and what a killed replica had begun is run by another.
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

  /** Looks for what is due, now and whenever the next one is. */
  wake(): void {
    // However many ask while it is being looked for, it is looked for once more.
    if (this.#isLooking) this.#isWanted = true;
    else this.#lookIn(0);
  }

  /** Runs what is due, in the order in which it was; gives how many ran. */
  async runDue(): Promise<number> {
    const ran = await this.#alone(() => this.#runDue());
    this.wake();
    return ran;
  }

  /** Moves the clock just far enough, job by job, until no transient state is left that a job ends. */
  settle(): Promise<number> {
    return this.#alone(async () => {
      const { clock } = this.#options;
      let ran = 0;
      for (let round = 0; round < mostRounds && !clock.isHeld && !this.#isClosed; round += 1) {
        const next = await this.#next(sql`nature = 'transient'`);
        if (next === undefined) return ran;
        const ahead = next.due - clock.now();
        if (ahead > 0) await clock.advance(ahead);
        ran += await this.#runDue();
      }
      return ran;
    });
  }

  /** What is being done is done. */
  async rest(): Promise<void> {
    await this.#alone(async () => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #alone<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(task, task);
    this.#running = turn.catch(() => {});
    return turn;
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
      wait = retryAfter;
    }
    this.#isLooking = false;
    this.#lookIn(this.#isWanted ? 0 : wait);
  }

  /** Once for each time that the store is gone, since this looks twice a second. */
  #lookingFailed(error: unknown): void {
    const { log } = this.#options;
    if (!isUnavailable(error)) log.error({ err: error }, "jobs could not be looked for");
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

  /** Runs what is due, and gives in how many milliseconds more may be. */
  async #runDueAndLook(): Promise<number> {
    await this.#runDue();
    const next = this.#isClosed ? undefined : await this.#next(this.#unheld());
    if (next === undefined) return longestWait;
    return Math.min(longestWait, Math.max(shortestWait, next.due - this.#options.clock.now()));
  }

  async #runDue(): Promise<number> {
    const { clock } = this.#options;
    let ran = 0;
    for (;;) {
      if (this.#isClosed) return ran;
      const job = await this.#nextDue(clock.now());
      if (job === undefined) return ran;
      if (await this.#run(job)) ran += 1;
      // The embedded store waits for nothing, so that years of jobs would let nobody else have a turn: no request, and no signal.
      await setImmediate();
    }
  }

  /** The first job that is due, of an account that had no turn while others waited: accounts take turns. */
  async #nextDue(now: number): Promise<JobRow | undefined> {
    const due = all([this.#unheld(), sql`due <= ${now}`]);
    const served = [...this.#served];
    const others = all([due, sql`account not in (${sql.join(served)})`]);
    const job = served.length === 0 ? undefined : await this.#next(others);
    const found = job ?? (await this.#next(due));
    // All that wait had a turn, and another round begins.
    if (job === undefined || served.length >= mostServed) this.#served.clear();
    if (found !== undefined) this.#served.add(found.account);
    return found;
  }

  /** Held, the platform does nothing; times that are over are over all the same. */
  #unheld(): Condition {
    return this.#options.clock.isHeld ? sql`nature = 'deadline'` : all([]);
  }

  async #next(condition: Condition): Promise<JobRow | undefined> {
    const { store, clock } = this.#options;
    return store.read(clock.now(), async (tx) => {
      const query = sql`select doc from jobs where ${condition} order by due, id limit 1`;
      const [found] = await rowsOf(query, tx.database);
      return found && (JSON.parse(String(found[0])) as JobRow);
    });
  }

  /** What a job does is done at the time at which it was due, however late it is. Gives whether it was still to be done. */
  async #run(found: JobRow): Promise<boolean> {
    const { store, handlers, workOf, log } = this.#options;
    const scope = { account: found.account, now: found.due };
    try {
      const wasThere = await store.write(scope, async (tx) => {
        const job = await tx.jobs.get(found.id);
        if (job === undefined || job.due !== found.due) return false;
        await tx.jobs.remove([job.id]);
        const handler = handlers[job.kind];
        if (handler === undefined) throw new Error(`nothing does ${job.kind}`);
        await handler(workOf(tx), job);
        return true;
      });
      if (wasThere) log.debug({ job: found }, "a job was done");
      return wasThere;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, job: found }, "a job failed");
      await store.write(scope, (tx) => postpone(tx, found));
      return false;
    }
  }
}

/** A job that fails is tried again, later and later, and given up after a day. */
async function postpone(tx: Parameters<Parameters<Store["write"]>[1]>[0], { id }: JobRow): Promise<void> {
  const job = await tx.jobs.get(id);
  if (job === undefined) return;
  const failures = job.failures + 1;
  if (failures > mostFailures) await tx.jobs.remove([id]);
  else await tx.jobs.put({ ...job, failures, due: job.due + 2 ** failures * 1000 });
}

const mostFailures = 16;
const mostRounds = 100_000;
const mostServed = 100;

/** Milliseconds. Replicas are told of new jobs, and look for them all the same. */
const longestWait = 1000;
const shortestWait = 1;
const retryAfter = 500;
