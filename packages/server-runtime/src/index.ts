export type { HttpResponse } from "./http-response.js";
export type {
  ScopeCeilingRule,
  HeaderNames,
  ErrorRule,
  ServerDefinition,
  OperationTable,
} from "./server-definition.js";
export { InvalidResponseError, isInvalidResponseError } from "./invalid-response-error.js";
export type { AuthInfo, RequestContext, Caller, EntityId } from "./request-context.js";
export type { MutabilityRule } from "./mutability.js";
export type { Condition } from "./conditions.js";
export { serializeDate, serializeDateTime } from "./date-times.js";
export {
  isOperationError,
  OperationError,
  type OperationErrorOptions,
  type ErrorEntry,
  type ErrorDefinition,
  type ErrorDefinitions,
  type ErrorIdByStatus,
} from "./errors.js";
export type { Expression } from "./expressions.js";
export type { EvaluationContext } from "./evaluation-context.js";
export type { EntityGrant, Grant, Grants } from "./grants.js";
export type { Awaitable, Handler, AuthenticatedContext } from "./handlers.js";
export type { HeaderRule, ResponseHeaders } from "./response-headers.js";
export {
  deadlineOf,
  type BytesLimit,
  type ConcurrencyLimit,
  type RateLimitHit,
  type RateLimitStore,
  type OutcomeRate,
  type RenewedRate,
  type OperationLimits,
  type RateLimit,
  type RetentionLimit,
  type RateLimitResult,
  type UniqueLimit,
} from "./limits.js";
export type { FilterField } from "./lists.js";
export {
  InvalidTransitionError,
  createStateMachine,
  type StateMachine,
  type StateMachineData,
} from "./state-machine.js";
export type { InitialState, StateTimeout, Transition, StateOf, TransitionTarget, TriggerOf } from "./transitions.js";
export { createMemoryStore } from "./memory-store.js";
export type {
  AddedContext,
  CommonOptions,
  LimitOptions,
  OperationRoute,
  LogEntry,
  BaseServerOptions,
  Transaction,
} from "./options.js";
export { ContentTooLargeError, type HttpRequest } from "./http-request.js";
export type { HandlerResponse } from "./responses.js";
export type {
  HasParent,
  HasState,
  OperationResources,
  HasOwner,
  Reference,
  Resource,
  Singleton,
  ResourceStore,
  ResourceLoader,
  ListScope,
  LoadQuery,
} from "./resources.js";
export type {
  SecurityRequirement,
  AuthenticationRequest,
  Authenticate,
  BasicCredentials,
  AuthenticatedCaller,
  SecurityScheme,
  ScopeGrammar,
} from "./authentication.js";
export { createBaseServer } from "./create-server.js";
export type { AnyHandlers } from "./operation-runner.js";
export type { Server } from "./server.js";
export {
  passthrough,
  toRecord,
  truncate,
  isVisibleTo,
  serializeItems,
  serializeAdditional,
  serializeTuple,
  serializeScalar,
  type AdditionalProperties,
  type Serializer,
  type Serializers,
  type SerializationContext,
  type ResponseVisibility,
} from "./serializers.js";
export type { TransitionRule, StateRule } from "./state-rules.js";
export type { ErrorStatus, UndocumentedErrorStatus, UndocumentedStatus, StatusOf } from "./statuses.js";
export { isUnavailable, UnavailableError } from "./unavailable-error.js";
export type { FieldValues, ValueRule } from "./value-rules.js";
