export {
  apiKey,
  basic,
  bearer,
  bySecurity,
  type Credentials,
  type KeyPlace,
  type Login,
  type Schemes,
} from "./auth.js";
export { jsonBody, jsonAs, multipart, raw, urlEncoded, urlEncodedWith, type RawBody } from "./bodies.js";
export { bounded, type BoundedOptions } from "./bounded.js";
export { call, type Pending } from "./call.js";
export {
  connect,
  type Authorize,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Fetch,
  type OutgoingRequest,
  type Secret,
} from "./client.js";
export {
  ApiError,
  isApiError,
  type ApiErrorCode,
  type ApiErrorFacts,
  type Complaint,
  type OtherStatus,
  type StatusIn,
} from "./errors.js";
export type { Asked, Conditions, ListFilter } from "./filters.js";
export type { Arguments, Operation, Writer } from "./operation.js";
export { pacing, type PacingOptions, type Rate } from "./pacing.js";
export {
  paginate,
  type ItemOf,
  type List,
  type ListArguments,
  type PageNames,
  type PageOf,
  type Paginated,
  type PaginateOptions,
} from "./paginate.js";
export { severalSegments, segmentsWith } from "./path.js";
export { form, type Encoders, type ParameterEncoder } from "./parameters.js";
export { asBlob, asBytes, asStream, asText, byStatus, type Reading, type ReplyDecoder } from "./replies.js";
export { retrying, type RetryOptions } from "./retrying.js";
export { safe, type Failure, type Result } from "./safe.js";
export {
  asJson,
  csv,
  deepObject,
  jsonHeader,
  label,
  labelExploded,
  matrix,
  matrixExploded,
  objectHeader,
  objectHeaderExploded,
  pipeDelimited,
  reserved,
  simple,
  simpleExploded,
  spaceDelimited,
} from "./styles.js";
export { upload, type LinkedOperation, type UploadBody, type UploadOptions, type UploadProgress } from "./upload.js";
export { waitFor, type Machine, type WaitOptions } from "./wait.js";
export { isWaitError, WaitError, type WaitErrorCode, type WaitErrorFacts } from "./wait-error.js";
export { inCookies, inCookiesWith, inHeaders, inHeadersWith, inQuery, inQueryWith } from "./writers.js";
