import type { RunCredentials, Scenarios, Suite } from "@plumbline/conformance-runtime";
import type { Api } from "@plumbline/kit/model";

/** A server that does as described, its description and its suite. */
export interface MutantTarget {
  readonly name: string;
  readonly api: Api;
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  /** Starts another server. */
  readonly start: () => Promise<StartedServer>;
  /** True for a server that starts at once and keeps nothing: each run has one of its own, and deletes nothing at its end. */
  readonly isDisposable: boolean;
}

export interface StartedServer {
  readonly url: string;
  readonly controls?: string;
  readonly credentials: RunCredentials;
  readonly close: () => Promise<void>;
}
