import type { FrameRead, Json } from "../suite.js";

/** Who reads. */
export type Party = "caller" | `caller ${number}` | "main" | "another client" | "another user" | "another account";

/** An object at the time of a reading. */
export interface ObservedObject {
  readonly read: FrameRead;
  readonly party: Party;
  /** The request that showed it: the operation with the ids of its path. */
  readonly source: string;
  /** The address of that request. */
  readonly address: string;
  /** A resource, or the operation that reads the values. */
  readonly kind: string;
  /** Empty for an object without an id, such as the profile of the caller. */
  readonly id: string;
  /** The ids of the objects that it belongs to, outermost first. */
  readonly within: readonly string[];
  readonly value: Json;
}

/** What is visible at a time, by the identity of each object. */
export interface Snapshot {
  readonly objects: ReadonlyMap<string, ObservedObject>;
  /** The requests of the reading: only what both of two readings asked for can be compared. */
  readonly sources: ReadonlySet<string>;
}

export function identifyObject({ party, kind, read, within, id }: ObservedObject): string {
  return JSON.stringify([party, kind, read.call, ...within, id]);
}
