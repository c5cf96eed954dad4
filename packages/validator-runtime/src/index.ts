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
export { utf8Length, combinedLength, isLonger, isShorter, serializedLength, textLength } from "./checks/lengths.js";
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
export type { ResponseReport } from "./adapters/responses.js";
export { isScopeString, type ScopeGrammar } from "./checks/scopes.js";
export {
  type Issue,
  type Issues,
  type Check,
  type Normalizer,
  type StripMode,
  type IssueCode,
  maxIssues,
  noValidation,
  addIssue,
  addIssueAt,
  prefixPaths,
  isValid,
} from "@plumbline/http-runtime";
export { reasonOf } from "@plumbline/http-runtime";
export { type Fields, isObject, isArray, hasOwn, isPresent, ownField, valueAt } from "@plumbline/http-runtime";
export { type BodyDecoder, jsonBody, textBody, binaryBody, formBody, multipartBody } from "@plumbline/http-runtime";
export type { ValidatorOptions } from "@plumbline/http-runtime";
export type { ValidationResult, RawInput, UnknownFieldPolicy } from "@plumbline/http-runtime";
export { type ErrorOptions, type ProblemDetails, type ProblemEntry, toProblemDetails } from "@plumbline/http-runtime";
export { type MediaType, mediaTypeEssence } from "@plumbline/http-runtime";
export { type Operation, type InputOf, defineOperation } from "@plumbline/http-runtime";
export type {
  OperationDefinition,
  ParameterDefinition,
  BodyDefinition,
  ContentDefinition,
} from "@plumbline/http-runtime";
export type { ValidationIssue, ReasonFormatter } from "@plumbline/http-runtime";
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
} from "@plumbline/http-runtime";
export type { ErrorResponse, OnError } from "@plumbline/http-runtime";
export { type RouteMatch, type Routes, buildRoutes, namesIn } from "@plumbline/http-runtime";
export type { ResponseValidators } from "@plumbline/http-runtime";
export type { RawParameters } from "@plumbline/http-runtime";
export type { ContentSchemas, JsonSchema, OperationSchemas } from "./schemas.js";
