export type { Answer } from "./answer.js";
export type { Ceiling, HeaderNames, RefusalRule, ServedApi, Table } from "./api.js";
export { BrokenReply, isBrokenReply } from "./broken-reply.js";
export type { Admission, Call, Caller, Key } from "./call.js";
export type { Change } from "./changes.js";
export type { Condition } from "./conditions.js";
export { date, dateTime } from "./date-times.js";
export {
  isRefused,
  Refused,
  type Detail,
  type ErrorEntry,
  type Failure,
  type Failures,
  type Shared,
} from "./errors.js";
export type { Expression } from "./expressions.js";
export type { Facts } from "./facts.js";
export type { EntityGrant, Grant, Grants } from "./grants.js";
export type { Awaitable, Handler, Known } from "./handlers.js";
export type { HeaderRule, ReplyHeaders } from "./headers.js";
export {
  deadlineOf,
  type BytesLimit,
  type ConcurrencyLimit,
  type Hit,
  type LimitStore,
  type OutcomeRate,
  type RenewedRate,
  type OperationLimits,
  type RateLimit,
  type RetentionLimit,
  type Tally,
  type UniqueLimit,
} from "./limits.js";
export type { FilterField } from "./lists.js";
export { ImpossibleMove, machine, type Machine, type MachineData } from "./machine.js";
export type { Beginning, Lifetime, Move, StateOf, TargetOf, TriggerOf } from "./moves.js";
export { memoryStore } from "./memory-store.js";
export type { Added, CommonOptions, LimitOptions, Link, LogEntry, ServeOptions, Transaction } from "./options.js";
export { TooLarge, type Received } from "./received.js";
export type { HandlerReply } from "./replies.js";
export type {
  Child,
  Moving,
  OperationResources,
  Owned,
  Reference,
  Resource,
  Single,
  Store,
  Stored,
  Visible,
  Wanted,
} from "./resources.js";
export type { Alternative, Asking, Authenticate, Basic, Credential, Scheme, ScopeGrammar } from "./scopes.js";
export { serve, type AnyHandlers } from "./serve.js";
export type { Server } from "./server.js";
export {
  asGiven,
  fieldsOf,
  first,
  isShownTo,
  itemsOf,
  othersOf,
  placesOf,
  scalar,
  type Others,
  type Show,
  type Shown,
  type Viewer,
  type VisibleTo,
} from "./shown.js";
export type { StateMove, StateRule } from "./states.js";
export type { FailureStatus, OtherFailure, OtherStatus, StatusOf } from "./statuses.js";
export { isUnavailable, UnavailableError } from "./unavailable.js";
export type { FieldValues, ValueRule } from "./values.js";
