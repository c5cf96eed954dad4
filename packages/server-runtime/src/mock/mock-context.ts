import type { MockUsers } from "./access/users.js";
import type { MockDefinition, MockResource } from "./mock-definition.js";
import type { JobQueue } from "./store/job-queue.js";
import type { MockClock } from "./store/mock-clock.js";
import type { MockStore } from "./store/mock-store.js";
import type { Random } from "./store/random.js";
import type { StoredObject } from "./store/stored-object.js";

/** What the interpreter of a description works with. */
export interface MockContext {
  readonly definition: MockDefinition;
  readonly store: MockStore;
  readonly jobs: JobQueue;
  readonly clock: MockClock;
  readonly users: MockUsers;
  readonly random: Random;
  /** Divides the durations of transient states. 0: they end at once. */
  readonly pace: number;
  /** Where absolute URLs in responses begin. Undefined before the first request. */
  origin: string | undefined;
  /** Operations in progress, by concurrency limit. */
  readonly running: RunningOperation[];
  /** The requests whose responses no state explains, by their ids. */
  readonly exampleResponses: Set<string>;
  /** Why requests could not be stored, by their ids. */
  readonly capacityErrors: Map<string, string>;
}

/** An operation that counts for a concurrency limit until its object is settled. */
export interface RunningOperation {
  readonly limit: string;
  readonly per: unknown;
  /** The key of the object. */
  readonly object: number;
  /** The states that the operation has put it in. */
  readonly states: StoredObject["states"];
}

/** The definition of a resource. An unknown one is an error of the generator. */
export function resourceOf({ definition }: Pick<MockContext, "definition">, name: string): MockResource {
  const resource = definition.resources[name];
  if (resource === undefined) throw new TypeError(`Unknown resource "${name}". Generate the package again.`);
  return resource;
}

/** Whether two identifiers are equal. A path has texts, and objects may have numbers. */
export function isSameIdentifier(a: unknown, b: unknown): boolean {
  return a === b || String(a) === String(b);
}
