import type { WorkerAccount } from "../cleanup/account-snapshot.js";
import type { FrameWorld } from "../frame/world.js";
import type { ExchangeLog } from "../http/exchange-log.js";
import type { Identity } from "../http/identity.js";
import type { Json } from "../suite.js";
import type { UniqueGenerator } from "../values/unique-values.js";

/** A sequence of cases with a user and shared objects of its own. */
export interface Worker extends WorkerAccount {
  readonly index: number;
  readonly unique: UniqueGenerator;
  /** Cached identities, by the caller's JSON. */
  readonly identities: Map<string, Identity>;
  readonly identitiesByToken: Map<string, Identity>;
  readonly sharedFixtures: Map<string, SharedFixture>;
  /** What the cases of the kind `frame` read. */
  readonly frame: FrameState;
}

export interface FrameState {
  /** The number of requests so far that may have changed something. */
  changes: number;
  /** Undefined before the first case, and after one that failed. */
  world: FrameWorld | undefined;
  /** Of each fixture, the added fields that the server accepts. */
  readonly acceptedFields: Map<string, readonly string[]>;
}

/** An object that the cases of a worker share, with the exchanges that created it. */
export interface SharedFixture {
  readonly value: Json;
  readonly log: ExchangeLog;
}
