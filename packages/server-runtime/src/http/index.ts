/** What the runtimes of validators and servers share. No stable API. */
export { type RouteMatch, type Routes, buildRoutes, namesIn } from "./routing/routes.js";
export { type BodyDecoder, jsonBody, textBody, binaryBody, formBody, multipartBody } from "./decode/bodies.js";
export {
  type ParameterDecoder,
  type ScalarDecoder,
  stringValue,
  integerValue,
  numberValue,
  booleanValue,
  nullValue,
  jsonValue,
  jsonObject,
  firstOf,
  singleValue,
  explodedArray,
  commaDelimited,
  spaceDelimited,
  pipeDelimited,
  delimitedObject,
  explodedPairs,
  explodedObject,
  deepArray,
  firstSent,
  deepObject,
  labelStyle,
  matrixStyle,
  plainCookie,
  fileField,
  fileFields,
  type Decoders,
  type Separator,
} from "./decode/decoders.js";
export { type MediaType, parseMediaType, contentFor, isJson, mediaTypeEssence } from "./decode/media-type.js";
export { readQuery } from "./decode/query.js";
export { type RawParameters, cookieParameters } from "./decode/raw-parameters.js";
export type { Meter } from "./request/meter.js";
export { type NodeStream, readNodeBytes, ByteCollector } from "./request/node-bytes.js";
export { type Next, type NodeRequest, NodeRequestHead } from "./request/node-request-head.js";
export type {
  OperationDefinition,
  ParameterDefinition,
  BodyDefinition,
  ContentDefinition,
} from "./operation-definition.js";
export { type Operation, type InputOf, defineOperation } from "./request/operation.js";
export type { RequestHead } from "./request/request-head.js";
export {
  type ValidatorOptions,
  type ValidatedRequest,
  type ValidationOutcome,
  type HeadOutcome,
  type PendingBody,
  type RequestValidator,
  type MatchedRoute,
  defaultBodyLimitBytes,
  createRequestValidator,
} from "./request/request-validator.js";
export {
  validateBody,
  type ValidationResult,
  type RawInput,
  type UnknownFieldPolicy,
  type InputGroups,
} from "./request/validate-input.js";
export { readWebBytes } from "./request/web-bytes.js";
export { WebRequestHead } from "./request/web-request-head.js";
export { challengeFor } from "./security/challenge.js";
export { credentialLocation, malformedCredential, otherScheme, readCredential } from "./security/credentials.js";
export type { BasicCredentials, SecurityRequirement, SecurityScheme } from "./security/security.js";
export {
  createErrorResponse,
  type ErrorOptions,
  type ErrorResponse,
  type OnError,
  type SerializedError,
  serializeError,
} from "./issues/error-response.js";
export {
  type Problem,
  type ProblemDetails,
  type ProblemEntry,
  createProblemDetails,
  problemMediaType,
  statusPhrases,
  toProblemDetails,
} from "./issues/problem-details.js";
export { IssueCollector } from "./issues/issue-collector.js";
export {
  type Issue,
  type Issues,
  type Check,
  type Normalizer,
  type Conversion,
  type StripMode,
  type IssueCode,
  maxIssues,
  noValidation,
  addIssue,
  addIssueAt,
  prefixPaths,
  isValid,
} from "./issues/issues.js";
export { reasonOf } from "./issues/reasons.js";
export {
  type ResponseHeaderCheck,
  type ResponseValidators,
  type RawResponse,
  createHeaderCheck,
  responseIssues,
} from "./response-issues.js";
export { type ValidationIssue, type ReasonFormatter, toValidationIssue } from "./issues/validation-issue.js";
export { type Fields, isObject, isArray, hasOwn, isPresent, ownField, childAt, valueAt } from "./values/json-values.js";
export { safeAssign } from "./values/safe-assign.js";
export { type KnownOptions, ensureKnown } from "./known-options.js";
