import type { EntityId } from "../../server/index.js";

export type Values = Readonly<Record<string, unknown>>;

/** The owner of an object, by attributes of callers. Empty for objects of the platform. */
export type ObjectOwner = Readonly<Partial<Record<string, EntityId>>>;

/** The state of an object in one state machine. */
export interface StoredState {
  readonly state: string;
  /** The state before the last transition, to which jobs return. */
  readonly previous: string | undefined;
  /** The states that follow on their own. */
  readonly then: readonly string[];
  /** When the next of them is due, in milliseconds since 1970. */
  readonly dueAt: number | undefined;
  readonly enteredAt: number;
  /** The concurrency limit that keeps the object in this state while it has a count. */
  readonly while?: string | undefined;
}

/** An object in the store. A change replaces it, so that snapshots can share it. */
export interface StoredObject {
  /** Distinguishes it from all other objects, and orders them by creation. */
  readonly key: number;
  readonly resource: string;
  readonly values: Values;
  readonly owner: ObjectOwner;
  /** The key of the parent. */
  readonly parent: number | undefined;
  readonly states: Readonly<Record<string, StoredState>>;
  readonly createdAt: number;
}
