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

/** What all lanes of a run share. */
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
  /** Of the whole run. */
  readonly requests: { sent: number };
  /** Ids of what the test controls have made: it is not the run's to take away. */
  readonly controlled: Set<string>;
}

/** Who calls. */
export interface Identity {
  readonly words: string;
  readonly token?: Token;
  /** The whole Authorization header, in place of a token. */
  readonly authorization?: string;
  readonly username: string | null;
  /** In the words of the test controls; null: the one whose token was given. */
  readonly account: string | null;
}

/** Cases one after another, with a user and things of their own. */
export interface Lane {
  readonly index: number;
  readonly account: string | null;
  readonly main: Identity;
  readonly unique: Unique;
  /** Made for whoever calls so, by the caller's JSON. */
  readonly callers: Map<string, Identity>;
  readonly byToken: Map<string, Identity>;
  readonly fixtures: Map<string, { readonly value: Json; readonly trail: Trail }>;
  /** What its account had before the run. */
  readonly had: Snapshot;
}

/** Where a step is performed. */
export interface Stage {
  readonly run: Run;
  readonly lane: Lane;
  /** What steps have bound to names. */
  readonly bound: Map<string, Json>;
  readonly values: Values;
  readonly unique: Unique;
  readonly caller: Identity;
  /** True where what goes wrong means that the case could not run. */
  readonly prepares: boolean;
  readonly trail: Trail;
  /** What is wrong is laid to these. */
  readonly requirements: readonly string[];
  readonly perform: (step: Step, stage: Stage) => Promise<Json>;
  /** Of a coded scenario, which goes on. */
  readonly differ: (difference: Difference) => void;
  readonly onEnd: (clean: () => Promise<void> | void) => void;
}

/** The same stage but for these; names that are bound on it stay apart when `bound` is new. */
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

/** A judged step found this. */
export class Differs extends Error {
  override readonly name = "Differs";
  readonly differences: readonly Difference[];
  constructor(differences: readonly Difference[]) {
    super(differences[0]?.message ?? "Something differs.");
    this.differences = differences;
  }
}

/** A step that prepares found this. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
  readonly differences: readonly Difference[];
  constructor(differences: readonly Difference[]) {
    super(differences[0]?.message ?? "The case could not run.");
    this.differences = differences;
  }
}

/** The suite contradicts itself: a mistake of who generated it. The run ends with it. */
export class SuiteError extends Error {
  override readonly name = "SuiteError";
}
