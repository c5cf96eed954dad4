import type { Place } from "../spec/place.js";
import type { Shape } from "./api.js";

/** What readers of extension fields require: a reader of schemas, and the names of operations. */
export interface Reading {
  readonly read: (place: Place) => Shape;
  /** Returns the name of the operation with an operationId. Returns an unknown id unchanged. */
  readonly operationName: (id: string) => string;
}

/** Names of operations, by operationId. */
export type OperationNames = ReadonlyMap<string, string>;

/** The configured names, and the names of operations. */
export interface Naming {
  /** Names for a description that cannot be edited. */
  readonly names: Readonly<Record<string, string>>;
  readonly operations: OperationNames;
}
