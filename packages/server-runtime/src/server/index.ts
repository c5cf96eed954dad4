export { withServerOperations } from "./server-operations.js";
export type { HttpResponse } from "./http/http-response.js";
export type { ScopeCeilingRule, HeaderNames, ServerDefinition, OperationTable } from "./server-definition.js";
export { InvalidResponseError, isInvalidResponseError } from "./response/invalid-response-error.js";
export type { AuthInfo, RequestContext, Caller, EntityId } from "./request/request-context.js";
export { mergeChange, type MutabilityRule } from "./conditions/mutability.js";
export type { ErrorRule } from "./conditions/error-rules.js";
export { isConditionMet, type Condition } from "./conditions/conditions.js";
export { serializeDate, serializeDateTime } from "./response/date-times.js";
export {
  isOperationError,
  OperationError,
  type OperationErrorOptions,
  type ErrorEntry,
  type ErrorDefinition,
  type ErrorDefinitions,
  type ErrorIdByStatus,
} from "./errors/errors.js";
export { valuesOf, type Expression } from "./conditions/expressions.js";
export type { EvaluationContext, LoadedRows } from "./conditions/evaluation-context.js";
export {
  type CallerRules,
  type CallerValues,
  type EntityGrant,
  type Grant,
  type Grants,
  needsGrants,
} from "./access/grants.js";
export { ownerKey } from "./access/ownership.js";
export type { AnyHandlers, Awaitable, Handler, AuthenticatedContext } from "./handlers.js";
export type { DeprecationHeaders } from "./response/deprecation.js";
export type { HeaderRule, ResponseHeaders } from "./response/response-headers.js";
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
} from "./rate-limits/limits.js";
export type {
  CursorPosition,
  FilterField,
  FilterOperator,
  FilterSyntax,
  ListCondition,
  ListOrder,
  ListPage,
  ListQuery,
  ListRequest,
  ListSyntax,
  OrderSyntax,
  PageSyntax,
} from "./lists/list-syntax.js";
export { decodeCursor, encodeCursor } from "./lists/cursors.js";
export { cursorPage, type CursorPage, matchesCondition, orderItems, selectItems } from "./lists/list-items.js";
export { readListQuery } from "./lists/list-query.js";
export {
  InvalidTransitionError,
  createStateMachine,
  type StateMachine,
  type StateMachineData,
} from "./state-machines/state-machine.js";
export type {
  InitialState,
  StateTimeout,
  Transition,
  StateOf,
  TransitionTarget,
  TriggerOf,
} from "./state-machines/transitions.js";
export type {
  ObservedIssue,
  ObservedOutcome,
  ObservedRequest,
  ObservedStep,
  ObservedTransition,
  ObserveRequest,
  RequestObserver,
  StepName,
} from "./observe/observe.js";
export { createMemoryStore } from "./rate-limits/memory-store.js";
export type {
  AddedContext,
  CommonOptions,
  LimitOptions,
  OperationRoute,
  LogEntry,
  BaseServerOptions,
  Transaction,
} from "./options.js";
export { ContentTooLargeError, type HttpRequest } from "./http/http-request.js";
export type { HandlerResponse, SerializedResponse } from "./response/responses.js";
export type { ServerSentEvent } from "./response/events.js";
export { jsonData } from "./response/item-streams.js";
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
} from "./resources/resources.js";
export type { AuthenticationRequest, Authenticate, AuthenticatedCaller } from "./access/authentication.js";
export type { ScopeGrammar } from "./access/security.js";
export type { SecurityRequirement, BasicCredentials, SecurityScheme } from "../http/index.js";
export { createBaseServer } from "./create-server.js";
export type { Server } from "./http/server.js";
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
} from "./response/serializers.js";
export type { TransitionRule, StateRule } from "./state-machines/state-rules.js";
export type { ErrorStatus, UndocumentedErrorStatus, UndocumentedStatus, StatusOf } from "./response/statuses.js";
export type { ProblemTypes } from "./errors/problem-details.js";
export { errorsOfResponse } from "./response/response-errors.js";
export type { ErrorBodies, ErrorBody, ErrorTemplate } from "./errors/error-bodies.js";
export { isNotImplemented, NotImplementedError } from "./errors/not-implemented-error.js";
export { isNotFound, NotFoundError } from "./errors/not-found-error.js";
export { isUnavailable, UnavailableError } from "./errors/unavailable-error.js";
export type { FieldValues, ValueRule } from "./conditions/value-rules.js";
