import type { Check, Operation, Replies } from "@plumbline/validator-runtime";
import type { Change } from "./changes.js";
import type { Condition } from "./conditions.js";
import type { Expression } from "./expressions.js";
import type { Failures, Shared } from "./errors.js";
import type { Grant } from "./grants.js";
import type { OperationLimits } from "./limits.js";
import type { ReplyHeaders } from "./headers.js";
import type { OperationResources, Resource } from "./resources.js";
import type { Alternative, Scheme, ScopeGrammar } from "./scopes.js";
import type { Shown, VisibleTo } from "./shown.js";
import type { StateRule } from "./states.js";
import type { FieldValues } from "./values.js";

/** A description as a server needs it: what generated packages are made of. Tables are by the names of operations. */
export interface ServedApi {
  readonly operations: readonly Operation[];
  /** Operations without a path of their own, which `links` gives them. */
  readonly linked: readonly Operation[];
  readonly schemes: Readonly<Record<string, Scheme>>;
  readonly grammar: ScopeGrammar | undefined;
  readonly security: Table<readonly Alternative[]>;
  readonly ceilings: Table<readonly Ceiling[]>;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly operationResources: Table<OperationResources>;
  readonly grants: Table<readonly Grant[]>;
  readonly limits: Table<OperationLimits>;
  readonly states: Table<readonly StateRule[]>;
  readonly changes: Table<readonly Change[]>;
  readonly values: Table<readonly FieldValues[]>;
  /** What the stored object with a change on top has to be. */
  readonly merged: Table<Check>;
  readonly refusals: Table<readonly RefusalRule[]>;
  /** Failures of each operation, its own and shared ones, by their ids. */
  readonly failures: Table<Failures>;
  readonly sharedFailures: Failures;
  /** The shared failure of each status. */
  readonly byStatus: Shared;
  readonly shown: Shown;
  readonly visibleTo: VisibleTo;
  readonly replyHeaders: ReplyHeaders;
  readonly replies: () => Promise<Replies>;
  readonly headers: HeaderNames;
  /** Where the paths of the description's servers begin. */
  readonly basePaths: readonly string[];
}

export type Table<T> = Readonly<Record<string, T>>;

/** What a table has of its own; an operation may be called as something is that every object inherits. */
export function entryOf<T>(table: Table<T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A text of scopes that may not be more than others. */
export interface Ceiling {
  readonly pointer: readonly string[];
  readonly atMost: Expression;
  readonly error: string;
}

/** A failure that is known by a condition. */
export interface RefusalRule {
  readonly id: string;
  readonly when: Condition;
  /** Where in the body the object is that it is about; `*` is each item. Empty: the body. */
  readonly pointer: readonly string[];
  /** Where it is about the stored object with the change on top: the fields of which a request has to change one to be refused. */
  readonly merged?: readonly string[];
}

/** What headers are called that every answer may carry; absent ones are not sent. */
export interface HeaderNames {
  readonly requestId: string;
  readonly scopes?: string;
  readonly acceptedScopes?: string;
  readonly limit?: string;
  readonly remaining?: string;
  readonly reset?: string;
}
