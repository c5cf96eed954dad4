import type { Timer } from "./http/timer.js";
import type { Capability, Case, Json, Step } from "./suite.js";

/**
 * `pass`: all checks passed. `fail`: a check failed. `known-fail`: it failed as the list of known failures expects. `unexpected-pass`: it
 * is on that list, but passed. `skipped`: a capability is missing. `error`: the setup failed.
 */
export type CaseStatus = "pass" | "fail" | "known-fail" | "unexpected-pass" | "skipped" | "error";

export interface CaseResult {
  readonly case: Case;
  readonly status: CaseStatus;
  /** Capabilities that are missing. */
  readonly missing: readonly Capability[];
  readonly failures: readonly AssertionFailure[];
  /** Requests and responses of a case that did not pass, in order, with secrets redacted. Empty for a passed case. */
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  /** Milliseconds. */
  readonly durationMs: number;
  /** True for a case that the run did not start, since it had stopped. Its failure has the reason. */
  readonly notStarted?: true | undefined;
}

/** A difference between the expected and the received response. */
export interface AssertionFailure {
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  readonly requirements: readonly string[];
  /** What differs, and where. Absent for a failure that compares no values, such as one of a coded scenario. */
  readonly difference?: Difference | undefined;
  /** Index of the exchange that shows it. */
  readonly exchange?: number | undefined;
}

/** What differs between the expected and the received response, and where: in a few words, to format messages and to find causes. */
export interface Difference {
  /**
   * `status`: the status. `outcomes`: the statuses of concurrent requests. `header`, `media-type`, `body`: that part of the response.
   * `value`: a value of several responses. `connection`: there is no response.
   */
  readonly part: "status" | "outcomes" | "header" | "media-type" | "body" | "value" | "connection";
  /** The name of the header, or a JSON pointer into the body or the value. Empty for the complete part. */
  readonly at: string;
  /**
   * `different`: another value. `missing`: it has to be there. `undocumented`: the description does not have it. `unexpected`: it must not
   * be there.
   */
  readonly kind: "different" | "missing" | "undocumented" | "unexpected";
  /** Such as `"running"`, `at most 64 characters` or `400`. */
  readonly expected: string;
  /** Such as `"provisioning"`, `70 characters` or `201`. */
  readonly received: string;
}

export interface Exchange {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Label of the caller, such as `main` or `other account`. */
  readonly caller: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds. */
  readonly durationMs: number;
}

export interface RunReport {
  readonly runId: string;
  readonly seed: number;
  readonly url: string;
  readonly started: string;
  /** Seconds. */
  readonly durationSeconds: number;
  readonly requests: number;
  readonly results: readonly CaseResult[];
  /** Why the run stopped before its last case. */
  readonly stopped?: StopReason | undefined;
  /** What a quick run chose. Absent for other runs. */
  readonly quick?: QuickSummary | undefined;
  /** Responses of the API by operation and status. Absent in a report that was not created by a run. */
  readonly responses?: ResponseCounts | undefined;
  /** Errors outside of cases: objects that could not be deleted, wrong entries of the known failures. */
  readonly errors: readonly string[];
  /** True when all selected cases passed. Skipped cases and known failures count as passed, but one check at least must have run. */
  readonly passed: boolean;
}

/**
 * Why a run stopped. `credential`: the server rejects the main credential. `address`: the address is not that of the API. `no-response`: the
 * server has stopped responding. `first-failure`: a case failed, and the run was to stop then.
 */
export interface StopReason {
  readonly kind: "credential" | "address" | "no-response" | "first-failure";
  /** Sentences for the user, with the way to fix it. */
  readonly text: string;
}

/** How much of the selected cases a quick run executed. */
export interface QuickSummary {
  /** The time that it was given. */
  readonly seconds: number;
  readonly cases: { readonly chosen: number; readonly all: number };
  /** Requirements that these cases test. */
  readonly requirements: { readonly chosen: number; readonly all: number };
}

/** Numbers of responses by operation and status. Status 0: no response. */
export type ResponseCounts = Readonly<Record<string, Readonly<Record<number, number>>>>;

export type RunProgress =
  /** `estimate`: seconds that the cases will wait for rate limits. Absent when they do not wait. */
  | {
      readonly kind: "start";
      readonly cases: number;
      readonly workers: number;
      readonly estimateSeconds?: number | undefined;
    }
  | { readonly kind: "case"; readonly result: CaseResult; readonly done: number }
  | { readonly kind: "note"; readonly text: string };

export interface RunOptions {
  /** The address of the API with its base path: `http://127.0.0.1:8080/v4`. */
  readonly url: string;
  readonly credentials: RunCredentials;
  /** The address of the server's test controls. */
  readonly controls?: string | undefined;
  /** The cases to run. */
  readonly cases: readonly Case[];
  readonly seed: number;
  /**
   * Number of parallel workers.
   *
   * @defaultValue 8 with test controls, else 1
   */
  readonly workers?: number | undefined;
  readonly requestBudget?: number | undefined;
  /**
   * Chooses cases for a run of about this many seconds: as many requirements as fit, those of security and loss first. The report has its
   * results only, and `quick`.
   */
  readonly quickSeconds?: number | undefined;
  /** Stops the run at the first case that fails or cannot run. */
  readonly failFast?: boolean | undefined;
  /**
   * Eight lowercase letters and digits.
   *
   * @defaultValue random
   */
  readonly runId?: string | undefined;
  /** Path of the journal of created objects. Without it no journal is written. */
  readonly journal?: string | undefined;
  readonly knownFailures?: readonly KnownFailure[] | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The functions that `code` steps name. */
  readonly scenarios?: Scenarios | undefined;
  /**
   * The clock of the run, and its waits. For a server in the same process that reads the same clock, no wait takes time.
   *
   * @defaultValue the time of this machine
   */
  readonly timer?: Timer | undefined;
}

export interface RunCredentials {
  /** The token of a user who may do most, with all scopes. */
  readonly main?: CallerToken | undefined;
  /** The token of a user of another account. */
  readonly otherAccount?: CallerToken | undefined;
  /** Tokens of other users of the account of `main`, without any grant, by the labels of the suite's callers. */
  readonly callers?: Readonly<Record<string, string>> | undefined;
  /** Tokens of the user of `main` with fewer scopes. `scopes`: their scopes, separated by spaces or commas. */
  readonly tokens?: readonly { readonly token: string; readonly scopes: string }[] | undefined;
}

/** One token for all security schemes, or one for each scheme by its name. For HTTP Basic: `user:password`. */
export type CallerToken = string | Readonly<Record<string, string>>;

export interface KnownFailure {
  readonly id: string;
  /** A part of the message of one of its differences. */
  readonly message: string;
}

/** The context of a coded scenario. */
export interface ScenarioContext {
  /** The evaluated inputs of the step. */
  readonly inputs: Readonly<Record<string, Json>>;
  /**
   * Runs a step.
   *
   * @returns The value that the step binds.
   */
  runStep(step: Step): Promise<Json>;
  /** Reports a failed check. The case continues. */
  reportFailure(difference: Omit<AssertionFailure, "exchange">): void;
  readonly signal: AbortSignal;
  /** Registers a cleanup function, which runs when the case has ended. */
  onEnd(clean: () => Promise<void> | void): void;
}

export type Scenarios = Readonly<Record<string, (context: ScenarioContext) => Promise<Json>>>;
