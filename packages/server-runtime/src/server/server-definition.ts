import type { Check, Operation, ResponseValidators } from "../http/index.js";
import type { SecurityRequirement, SecurityScheme } from "../http/index.js";
import type { CallerRules, Grant } from "./access/grants.js";
import type { ScopeGrammar } from "./access/security.js";
import type { ErrorRule } from "./conditions/error-rules.js";
import type { Expression } from "./conditions/expressions.js";
import type { MutabilityRule } from "./conditions/mutability.js";
import type { FieldValues } from "./conditions/value-rules.js";
import type { ErrorBodies } from "./errors/error-bodies.js";
import type { ErrorDefinitions, ErrorIdByStatus } from "./errors/errors.js";
import type { ProblemTypes } from "./errors/problem-details.js";
import type { OperationLimits, RateHeader } from "./rate-limits/limits.js";
import type { OperationResources, Resource } from "./resources/resources.js";
import type { DeprecationHeaders } from "./response/deprecation.js";
import type { ResponseHeaders } from "./response/response-headers.js";
import type { Serializers, ResponseVisibility } from "./response/serializers.js";
import type { StateRule } from "./state-machines/state-rules.js";

/** The compiled description of an API, as a generated package passes it to `createBaseServer`. Tables have the names of operations as keys. */
export interface ServerDefinition {
  readonly operations: readonly Operation[];
  /** Operations to which the description gives no path. The option `operationRoutes` gives them one. */
  readonly operationsWithoutPath: readonly Operation[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly scopeGrammar: ScopeGrammar | undefined;
  readonly security: OperationTable<readonly SecurityRequirement[]>;
  readonly scopeCeilings: OperationTable<readonly ScopeCeilingRule[]>;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly operationResources: OperationTable<OperationResources>;
  readonly grants: OperationTable<readonly Grant[]>;
  /** Absent: all callers need their grants. */
  readonly callers?: CallerRules;
  readonly limits: OperationTable<OperationLimits>;
  readonly stateRules: OperationTable<readonly StateRule[]>;
  readonly mutability: OperationTable<readonly MutabilityRule[]>;
  readonly valueRules: OperationTable<readonly FieldValues[]>;
  /** Validates the stored object after the change of a request is merged into it. */
  readonly mergedSchemas: OperationTable<Check>;
  readonly errorRules: OperationTable<readonly ErrorRule[]>;
  /** Documented errors of each operation by their ids: its own and the shared ones. */
  readonly errors: OperationTable<ErrorDefinitions>;
  readonly sharedErrors: ErrorDefinitions;
  /** The id of the shared error of each status. */
  readonly sharedErrorByStatus: ErrorIdByStatus;
  /** The documented bodies of errors. Absent: `{"errors": [{"field", "reason"}]}` for every error. */
  readonly errorBodies?: ErrorBodies;
  /** Set if errors are problem details (RFC 9457). */
  readonly problemDetails?: ProblemTypes;
  readonly serializers: Serializers;
  readonly responseVisibility: ResponseVisibility;
  readonly responseHeaders: ResponseHeaders;
  /** The headers of deprecated operations: RFC 9745, RFC 8594 and RFC 8288. */
  readonly deprecations?: OperationTable<DeprecationHeaders>;
  readonly responseValidators: () => Promise<ResponseValidators>;
  readonly headerNames: HeaderNames;
  /** The names of the properties of all bodies and parameters. The option `observe` reports no other names. */
  readonly fieldNames?: readonly string[];
  /** Base paths of the description's servers. */
  readonly basePaths: readonly string[];
}

export type OperationTable<T> = Readonly<Record<string, T>>;

/** Looks up an own entry of a table. An operation may have the name of a property that every object inherits, such as `toString`. */
export function ownEntry<T>(table: OperationTable<T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The upper bound of a field of the body that holds scopes. */
export interface ScopeCeilingRule {
  readonly pointer: readonly string[];
  readonly atMost: Expression;
  readonly error: string;
}

/** Names of the headers that any response may have. The server does not send absent ones. */
export interface HeaderNames extends Readonly<Partial<Record<RateHeader, string>>> {
  readonly requestId: string;
  readonly scopes?: string;
  readonly acceptedScopes?: string;
  /** The value of the header `scopes` without a token. Absent: the response does not have it then. */
  readonly noScopes?: string;
}
