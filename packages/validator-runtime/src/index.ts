export { fail, failAt, mostFaults, under, type Check, type Fault, type FaultCode, type Faults, type Take } from "./faults.js";
export {
  isBase64,
  isDate,
  isDateTime,
  isDuration,
  isEmail,
  isHostname,
  isIpv4,
  isIpv6,
  isJsonPointer,
  isRegex,
  isTime,
  isUri,
  isUriReference,
  isUuid,
} from "./formats.js";
export { bytesOf, combinedLength, isLonger, isShorter, serializedLength } from "./lengths.js";
export { reasonOf } from "./reasons.js";
export { anyOf, byTag, holds, oneOf, refuseUnknown } from "./unions.js";
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
