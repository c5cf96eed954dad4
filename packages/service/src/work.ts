import { errors, type Caller as ApiCaller, type Event, type EventEntity } from "@cloud-compute/server";
import type { Key } from "@plumbline/server-runtime";
import { durations, type Duration } from "./platform/durations.js";
import type { JobRow } from "./store/rows.js";
import type { Scope } from "./store/store.js";
import { iso, type Tx } from "./store/tx.js";

/** On whose behalf a request is made. */
export interface Caller extends ApiCaller {
  readonly user: string;
  readonly account: { readonly id: string; readonly total_payments: number };
  readonly client: string | undefined;
  /** The token that was sent. */
  readonly token: number;
}

/** What handlers and jobs work with: the collections of a transaction, and what follows from what they do. */
export class Work {
  readonly tx: Tx;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: number;
  readonly #platform: Platform;
  #hasPlanned = false;

  constructor(tx: Tx, platform: Platform) {
    this.tx = tx;
    this.now = tx.now;
    this.#platform = platform;
  }

  /** `now`, as the API shows it. */
  get date(): string {
    return iso(this.now);
  }

  /** Whether there is more to be done later, so that somebody has to look when it is. */
  get hasPlanned(): boolean {
    return this.#hasPlanned;
  }

  /** Has the platform do something that ends a transient state. */
  begin(job: Beginning & { readonly takes: Duration; readonly pace?: "lifelike" }): Promise<JobRow> {
    const { takes, pace, ...rest } = job;
    const duration = pace === "lifelike" ? durations[takes] * 1000 : this.duration(takes);
    return this.#plan({ ...rest, nature: "transient", due: this.now + duration });
  }

  /** Has the platform do something as soon as something else is done that is under way. */
  beginAfter(other: JobRow, job: Beginning): Promise<JobRow> {
    return this.#plan({ ...job, nature: "transient", due: Math.max(this.now, other.due) });
  }

  /** Has something done at a time: what comes again, or what is over then. Times do not depend on the pace. */
  plan(job: Beginning & { readonly nature: "recurring" | "deadline"; readonly due: number }): Promise<JobRow> {
    return this.#plan(job);
  }

  /** What was to be done about something is not done. */
  async cancel(subject: string): Promise<readonly JobRow[]> {
    return this.tx.jobs.take({ subject });
  }

  /** How long the platform takes, in milliseconds, at the pace of this service. */
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

  /** Tells of something in the events of an account. Without a status it is over as soon as it is told. */
  tell(event: Told): Promise<Event> {
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

  /** What an event tells of is over. */
  async finish(event: number | null, status: "finished" | "failed" = "finished"): Promise<void> {
    const told = event === null ? undefined : await this.tx.events.get(event);
    if (told === undefined) return;
    const duration = Math.max(0, (this.now - Date.parse(told.created)) / 1000);
    await this.tx.events.put({ ...told, status, duration, percent_complete: 100, time_remaining: null });
  }

  /** Another transaction, for what must not wait within this one: of an account, with the time that it is now. */
  elsewhere<T>(account: string, run: (work: Work) => Promise<T>): Promise<T> {
    return this.#platform.write(account, run);
  }

  async #plan(job: Beginning & Pick<JobRow, "nature" | "due">): Promise<JobRow> {
    const { event = null, data = {}, ...rest } = job;
    this.#hasPlanned = true;
    return this.tx.jobs.add({ ...rest, due: Math.round(job.due), event, data, failures: 0 });
  }
}

/** Transactions, with what handlers work with. */
export interface Works {
  read<T>(now: number, run: (work: Work) => Promise<T>): Promise<T>;
  /** When it ends, what was planned in it is looked for. */
  write<T>(scope: Scope, run: (work: Work) => Promise<T>): Promise<T>;
}

/** What the service is run with. */
export interface Platform {
  readonly pace: number;
  readonly uploadFolder: string;
  /** Whether zones may be transferred from this machine itself, as tests do. */
  readonly allowsLoopback: boolean;
  /** Whether zones may be transferred from private networks, and from this machine by its own addresses. */
  readonly allowsPrivate: boolean;
  publicUrl(): string;
  write<T>(account: string, run: (work: Work) => Promise<T>): Promise<T>;
}

interface Beginning {
  readonly account: string;
  readonly kind: string;
  /** What it is about: `instance 5`. */
  readonly subject: string;
  /** The event that tells how it goes. */
  readonly event?: number | null;
  readonly data?: Record<string, unknown>;
}

interface Told {
  readonly account: string;
  readonly action: Event["action"];
  readonly username?: string | null;
  readonly entity?: EventEntity | null;
  readonly secondary?: EventEntity | null;
  readonly status?: Event["status"];
}

/** The caller of an operation that admits nobody anonymous. */
export function callerOf(context: { readonly caller: ApiCaller | undefined }): Caller {
  if (context.caller === undefined) throw errors.noToken();
  // What `authenticate` gave is what is here.
  return context.caller as Caller;
}

export function isCallerOf(caller: Caller, { account }: { readonly account: Key | null }): boolean {
  return caller.account.id === account;
}
