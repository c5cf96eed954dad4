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

/** The compiled description of an API, as a generated package passes it to `serve`. Tables have the names of operations as keys. */
export interface ServedApi {
  readonly operations: readonly Operation[];
  /** Operations to which the description gives no path. The option `links` gives them one. */
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
  /** Validates the stored object after the change of a request is merged into it. */
  readonly merged: Table<Check>;
  readonly refusals: Table<readonly RefusalRule[]>;
  /** Documented errors of each operation by their ids: its own and the shared ones. */
  readonly failures: Table<Failures>;
  readonly sharedFailures: Failures;
  /** The id of the shared error of each status. */
  readonly byStatus: Shared;
  readonly shown: Shown;
  readonly visibleTo: VisibleTo;
  readonly replyHeaders: ReplyHeaders;
  readonly replies: () => Promise<Replies>;
  readonly headers: HeaderNames;
  /** Base paths of the description's servers. */
  readonly basePaths: readonly string[];
}

export type Table<T> = Readonly<Record<string, T>>;

/** Looks up an own entry of a table. An operation may have the name of a property that every object inherits, such as `toString`. */
export function entryOf<T>(table: Table<T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The upper bound of a field of the body that holds scopes. */
export interface Ceiling {
  readonly pointer: readonly string[];
  readonly atMost: Expression;
  readonly error: string;
}

/** A documented error and the condition on which the server responds with it. */
export interface RefusalRule {
  readonly id: string;
  readonly when: Condition;
  /** JSON pointer to the object in the body that the condition evaluates; `*` stands for each item. Empty for the body itself. */
  readonly pointer: readonly string[];
  /** Where the condition evaluates the merged object: the server rejects a request only if it changes one of these fields. */
  readonly merged?: readonly string[];
}

/** Names of the headers that any response may have. The server does not send absent ones. */
export interface HeaderNames {
  readonly requestId: string;
  readonly scopes?: string;
  readonly acceptedScopes?: string;
  readonly limit?: string;
  readonly remaining?: string;
  readonly reset?: string;
}
