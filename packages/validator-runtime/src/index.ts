export {
  fail,
  failAt,
  holds,
  mostFaults,
  unjudged,
  under,
  type Check,
  type Fault,
  type FaultCode,
  type Faults,
  type Strip,
  type Take,
} from "./faults.js";
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
export { bytesOf, combinedLength, isLonger, isShorter, serializedLength, textLength } from "./lengths.js";
export { reasonOf } from "./reasons.js";
export { acceptShown, matchAny, matchOne, matchTagged, refuseUnknown } from "./unions.js";
export {
  hasOwn,
  isEqual,
  isGiven,
  isList,
  isMultiple,
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
  taking,
  takingAll,
  takingItems,
  type Filled,
  type Taking,
} from "./takes.js";
export { bytes, form, json, multipart, plainText, type BodyReader } from "./bodies.js";
export type { GuardOptions } from "./guard.js";
export { inputOf } from "./inputs.js";
export type { Given, Judgement, Unknown } from "./judge.js";
export type { MediaType } from "./media-type.js";
export {
  operation,
  type BodyDefinition,
  type ContentDefinition,
  type Definition,
  type InputOf,
  type Operation,
  type ParameterDefinition,
} from "./operation.js";
export type { PublicFault, Reason } from "./public-fault.js";
export {
  anyOf,
  assigned,
  boolean,
  csv,
  deepObject,
  exploded,
  explodedObject,
  file,
  files,
  integer,
  jsonText,
  label,
  matrix,
  nothing,
  number,
  object,
  one,
  pipeDelimited,
  spaceDelimited,
  text,
  type Reader,
  type Readers,
  type Separator,
  type TextReader,
} from "./readers.js";
export type { OnError, Refusal } from "./refusal.js";
export { buildRoutes, namesIn, type Found, type Routes } from "./routes.js";
export type { Replies, ReplyReport } from "./replies.js";
export type { Sent } from "./sent.js";
export { isScopes, type ScopeGrammar } from "./scopes.js";
