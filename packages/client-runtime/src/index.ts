export {
  apiKeyAuth,
  basicAuth,
  bearerAuth,
  authorizeBySecurity,
  type Credentials,
  type ApiKeyLocation,
  type BasicCredentials,
  type SecuritySchemes,
} from "./auth.js";
export {
  jsonBody,
  jsonBodyAs,
  multipartBody,
  rawBody,
  urlEncodedBody,
  urlEncodedBodyWith,
  type RawBody,
} from "./request/bodies.js";
export { bodyByContentType } from "./request/content-types.js";
export {
  multipartBlob,
  multipartBodyWith,
  part,
  type Part,
  type PartOptions,
  type WithParts,
} from "./request/multipart.js";
export { withResponseLimit, type ResponseLimitOptions } from "./response/response-limit.js";
export type { ApiPromise } from "./api-promise.js";
export { callOperation } from "./call-operation.js";
export {
  createBaseClient,
  type Authorize,
  type CallOptions,
  type OpenCallOptions,
  type Client,
  type ClientOptions,
  type Secret,
} from "./client.js";
export { defineOperation, type OperationFunction } from "./define-operation.js";
export {
  ApiError,
  isApiError,
  type ApiErrorCode,
  type ApiErrorInit,
  type ApiErrorDetail,
  type UndocumentedStatus,
  type StatusInRange,
} from "./errors.js";
export type { FilterOperators, FilterOrder, FilterValue, ListFilter } from "./lists/filters.js";
export { createOAuth2, type OAuth2, type OAuth2Options, type OAuth2Tokens } from "./oauth2/oauth2.js";
export { isOAuth2Error, OAuth2Error, type OAuth2ErrorInit } from "./oauth2/oauth2-error.js";
export type { TokenEndpoint } from "./oauth2/token-endpoint.js";
export type {
  Fetch,
  FetchOptions,
  Operation,
  OutgoingRequest,
  RequestArguments,
  RequestEncoder,
  ResponseHeaders,
  SuccessResponse,
} from "./operation.js";
export { rateLimit, type RateLimitOptions, type RateLimit } from "./retry/rate-limit.js";
export {
  paginate,
  type ItemOf,
  type ListOperation,
  type ListArguments,
  type PaginationFields,
  type PageOf,
  type PageIterable,
  type PaginateOptions,
} from "./lists/paginate.js";
export { paginateByCursor, type CursorFields, type CursorOptions } from "./lists/paginate-by-cursor.js";
export {
  createInfiniteQuery,
  createMutation,
  createQuery,
  type InfiniteQuery,
  type Invalidator,
  type Mutation,
  type MutationVariables,
  type QueriedOperation,
  type Query,
  type QueryData,
  type QueryKey,
  type QueryKeyPrefix,
  type QueryName,
} from "./query/query.js";
export {
  changedBy,
  swr,
  swrInfinite,
  swrMutation,
  type SwrArguments,
  type SwrInfiniteArguments,
  type SwrMutationArguments,
  type SwrPageKey,
} from "./query/swr.js";
export { encodeSegment, multiSegment, pathEncoder } from "./request/path.js";
export { formExploded, type Encoders, type ParameterEncoder } from "./request/parameters.js";
export {
  withDeprecationWarnings,
  type DeprecationLink,
  type DeprecationNotice,
  type DeprecationOptions,
} from "./response/deprecation.js";
export { followEvents, type EventOf, type EventOperation, type FollowOptions } from "./response/follow-events.js";
export {
  asEvents,
  asJsonEvents,
  asJsonLines,
  type EventConnection,
  type EventStream,
  type JsonEvent,
  type ServerSentEvent,
} from "./response/items.js";
export {
  asBlob,
  asBytes,
  asStream,
  asText,
  decodeByStatus,
  type DecodeContext,
  type ResponseDecoder,
} from "./response/responses.js";
export { withRetry, type RetryOptions } from "./retry/retry.js";
export { withResponse } from "./success.js";
export { toResult, type CallError, type Result } from "./result.js";
export {
  jsonParameter,
  commaDelimited,
  deepObject,
  deepObjectIndices,
  deepObjectRepeat,
  jsonHeader,
  jsonSegment,
  labelStyle,
  labelExploded,
  matrixStyle,
  matrixExploded,
  objectHeader,
  objectHeaderExploded,
  pipeDelimited,
  plainCookie,
  plainCookieExploded,
  allowReserved,
  simpleStyle,
  simpleExploded,
  spaceDelimited,
  textParameter,
} from "./request/styles.js";
export { upload, type UploadOperation, type UploadBody, type UploadOptions, type UploadProgress } from "./upload.js";
export { waitFor, type StateWaiter, type WaitOptions } from "./waiting/wait.js";
export { isWaitError, WaitError, type WaitErrorCode, type WaitErrorInit } from "./waiting/wait-error.js";
export {
  cookieExploded,
  encodeCookies,
  encodeCookiesWith,
  encodeHeaders,
  encodeHeadersWith,
  encodeQuery,
  encodeQueryWith,
  simpleHeader,
} from "./request/request-encoders.js";
export { asBigInt } from "./values/as-bigint.js";
export { asDate } from "./values/as-date.js";
export { type Converter, type ScalarConverter } from "./values/convert.js";
export { convertedInput, type ConversionIssues } from "./values/converted-inputs.js";
export {
  convertedBody,
  convertedParameter,
  convertedParts,
  exactJsonBody,
  exactJsonFields,
  exactJsonHeader,
  exactJsonParameter,
} from "./values/converted-requests.js";
export {
  convertErrors,
  convertedJson,
  convertedJsonEvents,
  convertedJsonLines,
  type ErrorConverters,
  type JsonParser,
} from "./values/converted-responses.js";
export { parseExactJson, parseJson, stringifyExactJson, type ParsedJson } from "./values/exact-json.js";
export {
  asInstant,
  asPlainDate,
  type InstantLike,
  type PlainDateLike,
  type TemporalInstant,
  type TemporalPlainDate,
} from "./values/temporal.js";
export type { UnconvertedValue } from "./values/unconverted.js";
export {
  withObservation,
  type CallObserver,
  type CallOutcome,
  type ObservationOptions,
  type ObserveCall,
  type ObservedCall,
} from "./observe/observe.js";
