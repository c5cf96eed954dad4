import type { Schema } from "../../model/index.js";
import type { SourceFile, SpecNode } from "../read/spec-node.js";
import type { NameResolver } from "./names/name-table.js";

/** What readers of extension fields require: a reader of schemas, and the names of operations. */
export interface ReadContext {
  readonly read: (place: SpecNode) => Schema;
  /** Returns the name of the operation with an operationId. Returns an unknown id unchanged. */
  readonly operationName: (id: string) => string;
}

/** Names of operations, by operationId. */
export type OperationNames = ReadonlyMap<string, string>;

/** The names of schemas, and the names of operations. */
export interface NamingContext {
  readonly names: NameResolver;
  readonly operations: OperationNames;
  /** The root file. */
  readonly main: SourceFile;
  /** The names of custom keywords that schemas keep. */
  readonly keywords: readonly string[];
}
