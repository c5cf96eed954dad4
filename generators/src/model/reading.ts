import type { Place } from "../spec/place.js";
import type { Shape } from "./api.js";

/** What readers of extensions ask of those who read the rest. */
export interface Reading {
  readonly read: (place: Place) => Shape;
  /** What the operation of an operationId is called, which extensions name it by. An id of none is what it was. */
  readonly operationName: (id: string) => string;
}

/** Names of operations, by their operationIds. */
export type OperationNames = ReadonlyMap<string, string>;

/** What is called how. */
export interface Naming {
  /** Names chosen for a description that cannot be edited. */
  readonly names: Readonly<Record<string, string>>;
  readonly operations: OperationNames;
}
