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
export { multipartBodyWith, part, type Part, type PartOptions, type WithParts } from "./request/multipart.js";
export { withResponseLimit, type ResponseLimitOptions } from "./response/response-limit.js";
export { callOperation, type ApiPromise } from "./call-operation.js";
export {
  createBaseClient,
  type Authorize,
  type CallOptions,
  type OpenCallOptions,
  type Client,
  type ClientOptions,
  type Secret,
} from "./client.js";
export {
  ApiError,
  isApiError,
  type ApiErrorCode,
  type ApiErrorInit,
  type ApiErrorDetail,
  type UndocumentedStatus,
  type StatusInRange,
} from "./errors.js";
export type { FilterValue, FilterConditions, ListFilter } from "./lists/filters.js";
export type { Fetch, Operation, OutgoingRequest, RequestArguments, RequestEncoder } from "./operation.js";
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
export { multiSegment, pathEncoder } from "./request/path.js";
export { formExploded, type Encoders, type ParameterEncoder } from "./request/parameters.js";
export { asEvents, asJsonLines, type ServerSentEvent } from "./response/items.js";
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
export { toResult, type CallError, type Result } from "./result.js";
export {
  jsonParameter,
  commaDelimited,
  deepObject,
  deepObjectIndices,
  deepObjectRepeat,
  jsonHeader,
  labelStyle,
  labelExploded,
  matrixStyle,
  matrixExploded,
  objectHeader,
  objectHeaderExploded,
  pipeDelimited,
  allowReserved,
  simpleStyle,
  simpleExploded,
  spaceDelimited,
} from "./request/styles.js";
export { upload, type UploadOperation, type UploadBody, type UploadOptions, type UploadProgress } from "./upload.js";
export { waitFor, type StateWaiter, type WaitOptions } from "./waiting/wait.js";
export { isWaitError, WaitError, type WaitErrorCode, type WaitErrorInit } from "./waiting/wait-error.js";
export {
  encodeCookies,
  encodeCookiesWith,
  encodeHeaders,
  encodeHeadersWith,
  encodeQuery,
  encodeQueryWith,
} from "./request/request-encoders.js";
