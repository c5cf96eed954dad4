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
export { call, type Pending } from "./call.js";
export {
  connect,
  type Authorize,
  type CallOptions,
  type Client,
  type ClientOptions,
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
export type { Arguments, Operation, Writer } from "./operation.js";
export { severalSegments, segmentsWith } from "./path.js";
export { form, type Encoders, type ParameterEncoder } from "./parameters.js";
export { asBlob, asBytes, asStream, asText, byStatus, type Reading, type ReplyDecoder } from "./replies.js";
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
export { inCookies, inCookiesWith, inHeaders, inHeadersWith, inQuery, inQueryWith } from "./writers.js";
