import type { Snapshot } from "./account.js";
import type { Clock } from "./clock.js";
import type { Http } from "./http.js";
import type { Ledger } from "./ledger.js";
import type { Pace } from "./pace.js";
import type { Difference, RunOptions, Token } from "./results.js";
import type { Schemas } from "./schemas.js";
import type { Secrets } from "./secrets.js";
import type { Capability, Json, Step, Suite } from "./suite.js";
import type { Values } from "./template.js";
import type { Timer } from "./timer.js";
import type { Trail } from "./trail.js";
import type { Unique } from "./unique.js";

/** The state that all lanes of a run share. */
export interface Run {
  readonly suite: Suite;
  readonly options: Pick<RunOptions, "url" | "controls" | "credentials" | "scenarios">;
  readonly runId: string;
  readonly seed: number;
  readonly tag: string;
  readonly capabilities: ReadonlySet<Capability>;
  readonly http: Http;
  readonly schemas: Schemas;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
  /** Counted for the complete run. */
  readonly requests: { sent: number };
  /** Ids of objects that the test controls have created. The run does not delete them. */
  readonly controlled: Set<string>;
}

/** A caller. */
export interface Identity {
  readonly words: string;
  readonly token?: Token;
  /** The complete Authorization header, instead of a token. */
  readonly authorization?: string;
  readonly username: string | null;
  /** The account, as the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
}

/** A sequence of cases with a user and shared objects of its own. */
export interface Lane {
  readonly index: number;
  readonly account: string | null;
  readonly main: Identity;
  readonly unique: Unique;
  /** Cached identities, by the caller's JSON. */
  readonly callers: Map<string, Identity>;
  readonly byToken: Map<string, Identity>;
  readonly fixtures: Map<string, { readonly value: Json; readonly trail: Trail }>;
  /** The objects of the account before the run. */
  readonly had: Snapshot;
}

/** The context in which a step is performed. */
export interface Stage {
  readonly run: Run;
  readonly lane: Lane;
  /** Values that steps have bound to names. */
  readonly bound: Map<string, Json>;
  readonly values: Values;
  readonly unique: Unique;
  readonly caller: Identity;
  /** True for a step that prepares the case: its failure means that the case could not run. */
  readonly prepares: boolean;
  readonly trail: Trail;
  /** The requirements to which differences are attributed. */
  readonly requirements: readonly string[];
  readonly perform: (step: Step, stage: Stage) => Promise<Json>;
  /** Reports a difference of a coded scenario, which continues. */
  readonly differ: (difference: Difference) => void;
  readonly onEnd: (clean: () => Promise<void> | void) => void;
}

/** Creates a stage with changes. With a new `bound` its names are separate. */
export function onStage(stage: Omit<Stage, "values">, changes: Partial<Omit<Stage, "values">> = {}): Stage {
  const made = { ...stage, ...changes };
  return {
    ...made,
    values: {
      get: (name) => made.bound.get(name),
      unique: made.unique,
      now: () => made.run.clock.now(),
      matches: (schema, value) => made.run.schemas.matches(schema as boolean, value),
    },
  };
}

/** Thrown by a step that checks: the differences that it found. */
export class Differs extends Error {
  override readonly name = "Differs";
  readonly differences: readonly Difference[];
  constructor(differences: readonly Difference[]) {
    super(differences[0]?.message ?? "The response differs from the expectation.");
    this.differences = differences;
  }
}

/** Thrown by a step that prepares the case: why the case cannot run. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
  readonly differences: readonly Difference[];
  constructor(differences: readonly Difference[]) {
    super(differences[0]?.message ?? "The case could not run.");
    this.differences = differences;
  }
}

/** The suite contradicts itself. It ends the run, since the generator or its settings have to be fixed. */
export class SuiteError extends Error {
  override readonly name = "SuiteError";
}
