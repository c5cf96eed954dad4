import type { PublicFault } from "@plumbline/validator-runtime";

/** A documented failure condition. */
export interface Failure {
  readonly status: number;
  /** The field that it is about. Null: about none. Absent: whichever broke the rule, such as an item of a list. */
  readonly field?: string | null;
  /** What a person is told. */
  readonly reason: string;
  /** True where the same request may pass later. */
  readonly retry?: true;
}

/** Failures by their ids. */
export type Failures = Readonly<Record<string, Failure>>;

/** What a handler can say of a failure, beside which one it is. */
export interface Detail {
  /** Where in the request: `configs.0`. */
  readonly field?: string;
  /** Other words. */
  readonly reason?: string;
  /** Whole seconds until it makes sense to try again; of failures that may pass later. */
  readonly retryAfterSeconds?: number;
}

const code = "plumbline/refused";

/** A documented failure of an operation, to be thrown. The server answers as the description says, and nothing is changed. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: typeof code = code;
  /** The id of the failure, such as `too-many-clones`. */
  readonly id: string;
  readonly detail: Detail;

  constructor(id: string, detail: Detail = {}) {
    super(`refused: ${id}${detail.field === undefined ? "" : ` (${detail.field})`}`);
    this.id = id;
    this.detail = detail;
  }
}

/** True for a refusal, also for one of another copy of this package. */
export function isRefused(error: unknown): error is Refused {
  return error instanceof Error && (error as Partial<Refused>).code === code;
}

/** What is wrong, as clients are told. */
export interface ErrorEntry {
  readonly field?: string;
  readonly reason: string;
}

/** An answer in place of a handler's. */
export interface Refusal {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure of the description, where it is one. */
  readonly id?: string;
}

/** A refusal on its way out of a transaction, so that nothing of what was begun stays. */
export class RefusedWith extends Error {
  override readonly name = "RefusedWith";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.id ?? String(refusal.status));
    this.refusal = refusal;
  }
}

/** The refusal for a failure by its id; `Retry-After` says when to come again. */
export function refusalOf(id: string, failures: Failures, detail: Detail = {}): Refusal {
  const failure = Object.hasOwn(failures, id) ? failures[id] : undefined;
  if (failure === undefined) throw new TypeError(`there is no failure ${id}`);
  const { status, field: about, reason, retry } = failure;
  const field = detail.field ?? (about === null || about?.includes("$") === true ? undefined : about);
  const said = detail.reason ?? reason;
  const wait = detail.retryAfterSeconds ?? (retry === true ? usualWait : undefined);
  return {
    id,
    status,
    errors: [field === undefined ? { reason: said } : { field, reason: said }],
    ...(wait === undefined ? {} : { headers: { "Retry-After": String(wait) } }),
  };
}

/** The failure that all operations share for a status, or what HTTP calls it where the description says nothing. */
export function sharedRefusal(status: keyof typeof usual, failures: Failures, shared: Shared): Refusal {
  const id = shared[status];
  return id === undefined ? { status, errors: [{ reason: usual[status] }] } : refusalOf(id, failures);
}

/** The first failure of each status that every operation shares. */
export type Shared = Readonly<Partial<Record<number, string>>>;

/** Faults of a request as clients are told of them. */
export function entriesOf(faults: readonly PublicFault[]): readonly ErrorEntry[] {
  return faults.map(({ field, reason }) => (field === undefined ? { reason } : { field, reason }));
}

/** Seconds to wait for what will be ready nobody knows when. */
const usualWait = 5;

const usual = {
  400: "The request is not as the description asks",
  401: "A credential is needed",
  403: "Not permitted",
  404: "Not found",
  405: "The method is not allowed",
  406: "None of the accepted media types can be sent",
  408: "The request did not arrive in time",
  413: "The body is too large",
  415: "The media type is not supported",
  417: "The expectation cannot be met",
  429: "Too many requests",
  431: "The headers are larger than the server reads",
  500: "The server failed",
  501: "Not implemented",
  503: "Not available now",
} as const;
