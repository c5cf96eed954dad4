import type { Event, EventEntity } from "@cloud-compute/server";
import { durations, type Duration } from "./platform/durations.js";
import type { JobRow } from "./store/rows.js";
import type { Scope } from "./store/store.js";
import { formatDate, type Transaction } from "./store/transaction.js";

/** What handlers and jobs work with: the collections of a transaction, the time, jobs and events. */
export class UnitOfWork {
  readonly tx: Transaction;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
  readonly #platform: Platform;
  #hasPlanned = false;

  constructor(tx: Transaction, platform: Platform) {
    this.tx = tx;
    this.now = tx.now;
    this.#platform = platform;
  }

  /** `now` in the format of the API. */
  get date(): string {
    return formatDate(this.now);
  }

  /** Whether jobs were planned, so that the runner has to look for them after the transaction. */
  get hasPlanned(): boolean {
    return this.#hasPlanned;
  }

  /** Plans a job that ends a transient state. It takes as long as its kind does, or as another work. */
  startJob(job: TransientJobDraft): Promise<JobRow> {
    const { takes = job.kind as Duration, pace, ...rest } = job;
    const duration = pace === "lifelike" ? durations[takes] * 1000 : this.duration(takes);
    return this.#plan({ ...rest, nature: "transient", due: this.now + duration });
  }

  /** Plans a job that runs right after another planned job. */
  startJobAfter(other: JobRow, job: JobDraft): Promise<JobRow> {
    return this.#plan({ ...job, nature: "transient", due: Math.max(this.now, other.due) });
  }

  /** Plans a job for a fixed time: a recurring one, or a deadline. The pace does not affect it. */
  scheduleJob(job: JobDraft & { readonly nature: "recurring" | "deadline"; readonly due: number }): Promise<JobRow> {
    return this.#plan(job);
  }

  /** Cancels all jobs of a subject, and marks their events as failed. */
  async cancelJobs(subject: string): Promise<void> {
    for (const { event } of await this.tx.jobs.deleteReturning({ subject })) await this.finishEvent(event, "failed");
  }

  /** How long the platform takes at the pace of this service, in milliseconds. */
  duration(name: Duration): number {
    return this.#platform.pace === 0 ? 0 : (durations[name] * 1000) / this.#platform.pace;
  }

  get publicUrl(): string {
    return this.#platform.publicUrl();
  }

  get allowsLoopback(): boolean {
    return this.#platform.allowsLoopback;
  }

  get allowsPrivate(): boolean {
    return this.#platform.allowsPrivate;
  }

  get uploadFolder(): string {
    return this.#platform.uploadFolder;
  }

  /** Records an event of an account. Without a status the event is a notification, which is complete at once. */
  recordEvent(event: EventDraft): Promise<Event> {
    const { account, action, username, entity, secondary, status = "notification" } = event;
    const isOver = status === "notification" || status === "finished" || status === "failed";
    return this.tx.events.add({
      account,
      action,
      created: this.date,
      duration: isOver ? 0 : null,
      entity: entity ?? null,
      secondary_entity: secondary ?? null,
      message: null,
      percent_complete: status === "notification" ? null : isOver ? 100 : 0,
      rate: null,
      read: false,
      seen: false,
      status,
      time_remaining: null,
      username: username ?? null,
    });
  }

  /** Marks an event as complete. */
  async finishEvent(event: number | null, status: "finished" | "failed" = "finished"): Promise<void> {
    const reported = event === null ? undefined : await this.tx.events.get(event);
    if (reported === undefined) return;
    const duration = Math.max(0, (this.now - Date.parse(reported.created)) / 1000);
    await this.tx.events.update({ ...reported, status, duration, percent_complete: 100, time_remaining: null });
  }

  /** Runs another transaction of an account, with the current time, for work that must not block this one. */
  elsewhere<T>(account: string, run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.#platform.write(account, run);
  }

  /** Reads what an account has, from a transaction that is of no account. */
  readElsewhere<T>(account: string, run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.#platform.read(account, run);
  }

  async #plan(job: JobDraft & Pick<JobRow, "nature" | "due">): Promise<JobRow> {
    const { event = null, data = {}, ...rest } = job;
    this.#hasPlanned = true;
    return this.tx.jobs.add({ ...rest, due: Math.round(job.due), event, data, failures: 0 });
  }
}

/** Runs transactions with a unit of work. */
export interface UnitOfWorkRunner {
  read<T>(scope: Scope, run: (work: UnitOfWork) => Promise<T>): Promise<T>;
  /** Runs a transaction. After it, the runner looks for the jobs that it planned. */
  write<T>(scope: Scope, run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** Settings of the simulated platform. */
export interface Platform {
  readonly pace: number;
  readonly uploadFolder: string;
  /** Whether zones may be transferred from this machine by its loopback addresses, as tests do. */
  readonly allowsLoopback: boolean;
  /** Whether zones may be transferred from private networks, and from this machine by its other addresses. */
  readonly allowsPrivate: boolean;
  publicUrl(): string;
  read<T>(account: string, run: (work: UnitOfWork) => Promise<T>): Promise<T>;
  write<T>(account: string, run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

interface JobDraft {
  readonly account: string;
  readonly kind: string;
  /** The subject: `instance 5`. */
  readonly subject: string;
  /** The event that reports the progress. */
  readonly event?: number | null;
  readonly data?: Record<string, unknown>;
}

type TransientJobDraft = JobDraft & { readonly pace?: "lifelike" } & (
    | { readonly kind: Duration; readonly takes?: never }
    | { readonly takes: Duration }
  );

interface EventDraft {
  readonly account: string;
  readonly action: Event["action"];
  readonly username?: string | null;
  readonly entity?: EventEntity | null;
  readonly secondary?: EventEntity | null;
  readonly status?: Event["status"];
}
