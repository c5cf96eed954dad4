export {
  addIssue,
  addIssueAt,
  isValid,
  maxIssues,
  noValidation,
  prefixPaths,
  type Check,
  type Issue,
  type IssueCode,
  type Issues,
  type StripMode,
  type Normalizer,
} from "./issues.js";
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
} from "./formats.js";
export { utf8Length, combinedLength, isLonger, isShorter, serializedLength, textLength } from "./lengths.js";
export { reasonOf } from "./reasons.js";
export { acceptEchoedValues, anyOf, oneOf, discriminator, rejectUnknown } from "./composition.js";
export {
  hasOwn,
  isEqual,
  isPresent,
  isArray,
  isMultipleOf,
  isObject,
  isUnique,
  isUniqueBy,
  ownField,
  type Fields,
} from "./values.js";
export {
  escapeAscii,
  roundNearest,
  roundUp,
  normalizeObject,
  normalizeAll,
  normalizeItems,
  type WithDefaults,
  type ObjectNormalizer,
} from "./normalize.js";
export { binaryBody, formBody, jsonBody, multipartBody, textBody, type BodyDecoder } from "./bodies.js";
export type { ValidatorOptions } from "./request-validator.js";
export { inputOf } from "./validated-input.js";
export type { RawInput, ValidationResult, UnknownFieldPolicy } from "./validate-input.js";
export type { MediaType } from "./media-type.js";
export {
  defineOperation,
  type BodyDefinition,
  type ContentDefinition,
  type OperationDefinition,
  type InputOf,
  type Operation,
  type ParameterDefinition,
} from "./operation.js";
export type { ValidationIssue, ReasonFormatter } from "./validation-issue.js";
export {
  firstOf,
  explodedPairs,
  booleanValue,
  commaDelimited,
  deepObject,
  explodedArray,
  explodedObject,
  fileField,
  fileFields,
  integerValue,
  jsonValue,
  labelStyle,
  matrixStyle,
  nullValue,
  numberValue,
  delimitedObject,
  singleValue,
  pipeDelimited,
  spaceDelimited,
  stringValue,
  type ParameterDecoder,
  type Decoders,
  type Separator,
  type ScalarDecoder,
} from "./decoders.js";
export type { OnError, ErrorResponse } from "./error-response.js";
export { buildRoutes, namesIn, type RouteMatch, type Routes } from "./routes.js";
export type { ResponseValidators, ResponseReport } from "./responses.js";
export type { RawParameters } from "./raw-parameters.js";
export { isScopeString, type ScopeGrammar } from "./scopes.js";
