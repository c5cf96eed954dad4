export {
  isBase64,
  isDate,
  isDateTime,
  isDuration,
  isEmail,
  isHostname,
  isIdnEmail,
  isIpv4,
  isIpv6,
  isJsonPointer,
  isRegex,
  isTime,
  isUri,
  isUriReference,
  isUuid,
} from "./checks/formats.js";
export {
  utf8Length,
  combinedLength,
  isLonger,
  isShorter,
  maxBytes,
  serializedLength,
  textLength,
} from "./checks/lengths.js";
export { acceptEchoedValues, anyOf, oneOf, discriminator, rejectUnknown } from "./checks/composition.js";
export { isEqual, isMultipleOf, isUnique, isUniqueBy } from "./checks/values.js";
export {
  escapeAscii,
  roundNearest,
  roundUp,
  normalizeObject,
  normalizeAll,
  normalizeItems,
  type WithDefaults,
  type ObjectNormalizer,
} from "./checks/normalize.js";
export { inputOf } from "./adapters/validated-input.js";
export type { ProvidedOption } from "./adapters/known-options.js";
export type { ResponseReport } from "./adapters/responses.js";
export { isScopeString, type ScopeSyntax } from "./checks/scopes.js";
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
} from "../http/index.js";
export { reasonOf } from "../http/index.js";
export { type Fields, isObject, isArray, hasOwn, isPresent, ownField, valueAt } from "../http/index.js";
export { type BodyDecoder, jsonBody, textBody, binaryBody, formBody, multipartBody } from "../http/index.js";
export type { ValidatorOptions } from "../http/index.js";
export type { ValidationResult, RawInput, UnknownFieldPolicy } from "../http/index.js";
export { type ErrorOptions, type ProblemDetails, type ProblemEntry, toProblemDetails } from "../http/index.js";
export { type MediaType, mediaTypeEssence } from "../http/index.js";
export { type Operation, type InputOf, defineOperation } from "../http/index.js";
export type { OperationDefinition, ParameterDefinition, BodyDefinition, ContentDefinition } from "../http/index.js";
export type { ValidationIssue, ReasonFormatter } from "../http/index.js";
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
} from "../http/index.js";
export type { ErrorResponse, OnError } from "../http/index.js";
export { type RouteMatch, type Routes, buildRoutes, namesIn } from "../http/index.js";
export { createHeaderCheck, type ResponseHeaderCheck } from "../http/index.js";
export type { ResponseValidators } from "../http/index.js";
export type { RawParameters } from "../http/index.js";
export type { ContentSchemas, JsonSchema, OperationSchemas } from "./schemas.js";
