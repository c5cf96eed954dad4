import type { Capability, Case, Json, Step } from "./suite.js";

/**
 * `pass`: all holds. `fail`: something does not. `known-fail`: it fails as the list of known failures says. `unexpected-pass`: it is on
 * that list, and passes. `skipped`: a capability is missing. `could-not-run`: what the case starts from could not be had; never a pass.
 */
export type Status = "pass" | "fail" | "known-fail" | "unexpected-pass" | "skipped" | "could-not-run";

export interface CaseResult {
  readonly case: Case;
  readonly status: Status;
  /** Capabilities that are missing. */
  readonly missing: readonly Capability[];
  readonly differences: readonly Difference[];
  /** Of a case that did not pass: its requests and their answers, in order, secrets taken out. Empty for one that passed. */
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  /** Milliseconds. */
  readonly took: number;
}

/** One thing that is not as it should be. */
export interface Difference {
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  readonly requirements: readonly string[];
  /** Which of the exchanges shows it. */
  readonly exchange?: number;
}

export interface Exchange {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Who asked, in words: `main`, `a restricted user`. */
  readonly by: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds. */
  readonly took: number;
}

export interface RunReport {
  readonly runId: string;
  readonly seed: number;
  readonly url: string;
  readonly started: string;
  /** Seconds. */
  readonly took: number;
  readonly requests: number;
  readonly results: readonly CaseResult[];
  /** What is the matter with the run beside its cases: things left behind, an entry of the known failures that matches nothing. */
  readonly problems: readonly string[];
  /** True when everything selected was judged and holds. */
  readonly passed: boolean;
}

export type Progress =
  /** The estimate is how many seconds the cases will wait for the rates of operations; absent when they do not. */
  | { readonly kind: "start"; readonly cases: number; readonly lanes: number; readonly estimate?: number }
  | { readonly kind: "case"; readonly result: CaseResult; readonly done: number }
  | { readonly kind: "note"; readonly text: string };

export interface RunOptions {
  /** Where the API is, with its base path: `http://127.0.0.1:8080/v4`. */
  readonly url: string;
  readonly credentials: Credentials;
  /** The address of the server's test controls. */
  readonly controls?: string;
  /** Worked out before the run: these cases, in this order, and no other. */
  readonly cases: readonly Case[];
  readonly seed: number;
  /** How many lanes run side by side; 8 with test controls, 1 without. */
  readonly workers?: number;
  readonly requestBudget?: number;
  /** Eight small letters and digits. */
  readonly runId?: string;
  /** Where what the run makes is written down; nothing is when absent. */
  readonly journal?: string;
  readonly knownFailures?: readonly KnownFailure[];
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** Functions that `code` steps name. */
  readonly scenarios?: Scenarios;
}

export interface Credentials {
  /** Unrestricted, for everything. */
  readonly main?: Token;
  /** Of another account. */
  readonly stranger?: Token;
}

/** What all security schemes are shown, or what each one is, by its name. With HTTP Basic it is `user:password`. */
export type Token = string | Readonly<Record<string, string>>;

export interface KnownFailure {
  readonly id: string;
  /** What one of its differences has to say. */
  readonly message: string;
}

/** What a coded scenario can do. */
export interface ScenarioContext {
  /** What the step gave, worked out. */
  readonly given: Readonly<Record<string, Json>>;
  /** Runs any step of the data, and gives what it bound. */
  step(step: Step): Promise<Json>;
  /** Says that something is not as it should be; the case goes on. */
  differs(difference: Omit<Difference, "exchange">): void;
  readonly signal: AbortSignal;
  /** Calls back when the case ends, whatever came of it. */
  onEnd(clean: () => Promise<void> | void): void;
}

export type Scenarios = Readonly<Record<string, (context: ScenarioContext) => Promise<Json>>>;
