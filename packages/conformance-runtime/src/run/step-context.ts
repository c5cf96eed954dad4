import type { AccountSnapshot } from "../cleanup/account-snapshot.js";
import type { ServerClock } from "./server-clock.js";
import type { HttpClient } from "../http/http-client.js";
import type { CreatedObjects } from "../cleanup/created-objects.js";
import type { RequestThrottle } from "./request-throttle.js";
import type { AssertionFailure, RunOptions, CallerToken } from "../results.js";
import type { SchemaValidators } from "../assert/schemas.js";
import type { SecretRegistry } from "../http/secrets.js";
import type { Capability, Json, Step, Suite } from "../suite.js";
import type { TemplateValues } from "../values/template.js";
import type { Timer } from "./timer.js";
import type { ExchangeLog } from "../http/exchange-log.js";
import type { UniqueGenerator } from "../values/unique-values.js";

/** The state that all workers of a run share. */
export interface RunContext {
  readonly suite: Suite;
  readonly options: Pick<RunOptions, "url" | "controls" | "credentials" | "scenarios">;
  readonly runId: string;
  readonly seed: number;
  readonly tag: string;
  readonly capabilities: ReadonlySet<Capability>;
  readonly http: HttpClient;
  readonly schemas: SchemaValidators;
  readonly secrets: SecretRegistry;
  readonly createdObjects: CreatedObjects;
  readonly clock: ServerClock;
  readonly throttle: RequestThrottle;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
  /** Counted for the complete run. */
  readonly requests: { sent: number };
  /** Ids of objects that the test controls have created. The run does not delete them. */
  readonly controlIds: Set<string>;
}

/** A caller. */
export interface Identity {
  readonly label: string;
  readonly token?: CallerToken;
  /** The complete Authorization header, instead of a token. */
  readonly authorization?: string;
  readonly username: string | null;
  /** The account, as the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
}

/** A sequence of cases with a user and shared objects of its own. */
export interface Worker {
  readonly index: number;
  readonly account: string | null;
  readonly main: Identity;
  readonly unique: UniqueGenerator;
  /** Cached identities, by the caller's JSON. */
  readonly identities: Map<string, Identity>;
  readonly identitiesByToken: Map<string, Identity>;
  readonly sharedFixtures: Map<string, { readonly value: Json; readonly log: ExchangeLog }>;
  /** The objects of the account before the run. */
  readonly initialSnapshot: AccountSnapshot;
}

/** The context in which a step is performed. */
export interface StepContext {
  readonly run: RunContext;
  readonly worker: Worker;
  /** Values that steps have bound to names. */
  readonly variables: Map<string, Json>;
  readonly values: TemplateValues;
  readonly unique: UniqueGenerator;
  readonly caller: Identity;
  /** True for a step that prepares the case: its failure means that the case could not run. */
  readonly isSetup: boolean;
  readonly log: ExchangeLog;
  /** The requirements to which differences are attributed. */
  readonly requirements: readonly string[];
  readonly perform: (step: Step, stage: StepContext) => Promise<Json>;
  /** Reports a difference of a coded scenario, which continues. */
  readonly reportFailure: (difference: AssertionFailure) => void;
  readonly onEnd: (clean: () => Promise<void> | void) => void;
}

/** Creates a stage with changes. With a new `bound` its names are separate. */
export function createStepContext(
  stage: Omit<StepContext, "values">,
  changes: Partial<Omit<StepContext, "values">> = {},
): StepContext {
  const made = { ...stage, ...changes };
  return {
    ...made,
    values: {
      get: (name) => made.variables.get(name),
      unique: made.unique,
      now: () => made.run.clock.now(),
      matches: (schema, value) => made.run.schemas.matches(schema as boolean, value),
    },
  };
}

/** Thrown by a step that checks: the differences that it found. */
export class AssertionError extends Error {
  override readonly name = "Differs";
  readonly failures: readonly AssertionFailure[];
  constructor(differences: readonly AssertionFailure[]) {
    super(differences[0]?.message ?? "The response differs from the expectation.");
    this.failures = differences;
  }
}

/** Thrown by a step that prepares the case: why the case cannot run. */
export class SetupError extends Error {
  override readonly name = "CannotRun";
  readonly failures: readonly AssertionFailure[];
  constructor(differences: readonly AssertionFailure[]) {
    super(differences[0]?.message ?? "The case could not run.");
    this.failures = differences;
  }
}

/** The suite contradicts itself. It ends the run, since the generator or its settings have to be fixed. */
export class SuiteError extends Error {
  override readonly name = "SuiteError";
}
