import type { SpecNode } from "../read/spec-node.js";
import type { Schema } from "@plumbline/model";

/** What readers of extension fields require: a reader of schemas, and the names of operations. */
export interface ReadContext {
  readonly read: (place: SpecNode) => Schema;
  /** Returns the name of the operation with an operationId. Returns an unknown id unchanged. */
  readonly operationName: (id: string) => string;
}

/** Names of operations, by operationId. */
export type OperationNames = ReadonlyMap<string, string>;

/** The configured names, and the names of operations. */
export interface NamingContext {
  /** Names for a description that cannot be edited. */
  readonly names: Readonly<Record<string, string>>;
  readonly operations: OperationNames;
}
