import { headerText } from "./headers.js";
import {
  explodedWith,
  formExploded,
  hasProperties,
  parameterPairs,
  percentEncode,
  scalarToText,
} from "./parameters.js";
import { rejectUnsendable } from "./reject-unsendable.js";
import { simpleHeader } from "./request-encoders.js";

/** Encodes `a=1,2`, and `a=k,v,k2,v2` for an object: OpenAPI's `form`, not exploded. */
export function commaDelimited(name: string, value: unknown): string {
  return joinItems(name, value, ",");
}

/** Encodes `a=1%202`: OpenAPI's `spaceDelimited`. */
export function spaceDelimited(name: string, value: unknown): string {
  return joinItems(name, value, "%20");
}

/** Encodes `a=1%7C2`: OpenAPI's `pipeDelimited`. */
export function pipeDelimited(name: string, value: unknown): string {
  return joinItems(name, value, "%7C");
}

/** Encodes `a%5Bk%5D=v`, which is `a[k]=v`: OpenAPI's `deepObject`. Objects nest; an array is `a[]=1&a[]=2`, or `a[0][k]=v` if it has objects. */
export function deepObject(name: string, value: unknown): string {
  return nested(name, value, "[]");
}

/** Like `deepObject`, with the index of every item of an array: `a[0]=1&a[1]=2`. */
export function deepObjectIndices(name: string, value: unknown): string {
  return nested(name, value);
}

/** Like `deepObject`, with the name of the array for each item that is not an object: `a=1&a=2`. */
export function deepObjectRepeat(name: string, value: unknown): string {
  return nested(name, value, "");
}

/** `scalar` follows the name of an array before a scalar. Default: the index. */
function nested(name: string, value: unknown, scalar?: string): string {
  if (!hasProperties(value)) return formExploded(name, value);
  const isScalarItem = (each: unknown): boolean => Array.isArray(value) && !hasProperties(each);
  return Object.entries(value)
    .map(([key, each]) => nested(name + ((isScalarItem(each) ? scalar : undefined) ?? `[${key}]`), each, scalar))
    .filter(Boolean)
    .join("&");
}

/** Encodes `a=%7B%22k%22%3A1%7D`: JSON, for parameters with `content: application/json`. */
export function jsonParameter(name: string, value: unknown): string {
  return `${percentEncode(name)}=${percentEncode(JSON.stringify(value))}`;
}

/** Encodes `a=x`, for parameters with `content` of a text. Throws for arrays and objects. */
export function textParameter(name: string, value: unknown): string {
  return value === null ? "" : `${percentEncode(name)}=${percentEncode(scalarToText(name, value))}`;
}

/** Encodes JSON in a path, for parameters with `content: application/json`. */
export function jsonSegment(_: string, value: unknown): string {
  return percentEncode(JSON.stringify(value));
}

/** Encodes exploded `form` with `:/?@!$'()*,;` unchanged: OpenAPI's `allowReserved`. Still encodes what would end the value. */
export function allowReserved(name: string, value: unknown): string {
  return explodedWith("&", (text) => encodeURI(text).replace(/[#&+=]/g, encodeURIComponent), name, value);
}

/** Encodes `R=1,G=2` in a path: OpenAPI's `simple`, exploded. */
export function simpleExploded(name: string, value: unknown): string {
  return encodeItems(name, value, "=").join();
}

/** Encodes `R,1,G,2` for an object in a path: OpenAPI's `simple`, not exploded. */
export function simpleStyle(name: string, value: unknown): string {
  return encodeItems(name, value, ",").join();
}

/** Encodes `.1,2`, and `.R,1,G,2` for an object: OpenAPI's `label`, not exploded. */
export function labelStyle(name: string, value: unknown): string {
  return `.${simpleStyle(name, value)}`;
}

/** Encodes `.1.2`, and `.R=1.G=2` for an object: OpenAPI's `label`, exploded. */
export function labelExploded(name: string, value: unknown): string {
  // A period in a value would separate it. Encoded alone, it would still change the path.
  return encodeItems(name, value, "=")
    .map((each) => `.${each.replaceAll(".", "%2E")}`)
    .join("")
    .replace(/^\.%2E$/, "..");
}

/** Encodes `;a=1,2`, and `;a=R,1,G,2` for an object: OpenAPI's `matrix`, not exploded. */
export function matrixStyle(name: string, value: unknown): string {
  const written = simpleStyle(name, value);
  return written && `;${percentEncode(name)}=${written}`;
}

/** Encodes `;a=1;a=2`, and `;R=1;G=2` for an object: OpenAPI's `matrix`, exploded. */
export function matrixExploded(name: string, value: unknown): string {
  const written = explodedWith(";", percentEncode, name, value);
  return written && `;${written}`;
}

/** Encodes `a=1; a=2` in a cookie without percent-encoding: OpenAPI's `cookie`, exploded. */
export function plainCookieExploded(name: string, value: unknown): string {
  return explodedWith("; ", (text) => plainCookieText(name, text), name, value);
}

/** Encodes `a=1,2` in a cookie without percent-encoding: OpenAPI's `cookie`, not exploded. */
export function plainCookie(name: string, value: unknown): string {
  const written = flatTexts(name, value).map((each) => plainCookieText(name, each));
  return written.length ? `${percentEncode(name)}=${written.join()}` : "";
}

/** Encodes JSON in a header, and escapes everything beyond ASCII. */
export function jsonHeader(_: string, value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Encodes `k,v,k2,v2` in a header: OpenAPI's `simple` for an object, not exploded. Headers are not percent-encoded. */
export function objectHeader(name: string, value: unknown): string {
  return flatTexts(name, value)
    .map((each) => headerText(name, each, /,/))
    .join();
}

/** Encodes `k=v,k2=v2` in a header: OpenAPI's `simple` for an object, exploded. */
export function objectHeaderExploded(name: string, value: unknown): string {
  if (!hasProperties(value)) return simpleHeader(name, value);
  return parameterPairs(name, value)
    .map(([key, each]) => `${headerText(name, key, /[,=]/)}=${headerText(name, scalarToText(name, each), /,/)}`)
    .join();
}

/** Throws for characters that have a meaning in a cookie, which its author has to escape. */
function plainCookieText(name: string, text: string): string {
  return /[^!#-+\--:<-[\]-~]/.test(text) ? rejectUnsendable(`cookie ${name}`) : text;
}

/** The texts of the items of an array, or of the keys and values of an object. */
function flatTexts(name: string, value: unknown): string[] {
  const pairs = parameterPairs(name, value);
  const isKeyed = hasProperties(value) && !Array.isArray(value);
  return pairs.flatMap(([key, each]) => [...(isKeyed ? [key] : []), scalarToText(name, each)]);
}

function joinItems(name: string, value: unknown, separator: string): string {
  const written = flatTexts(name, value).map(percentEncode);
  // An encoded separator separates as well.
  if (written.some((each) => each.includes(separator)) && hasProperties(value)) rejectUnsendable(name);
  return written.length ? `${percentEncode(name)}=${written.join(separator)}` : "";
}

/** The encoded items; those of an object after their keys. */
function encodeItems(name: string, value: unknown, separator: string): string[] {
  const keyed = hasProperties(value) && !Array.isArray(value);
  return parameterPairs(name, value).map(
    ([key, each]) => (keyed ? `${percentEncode(key)}${separator}` : "") + percentEncode(scalarToText(name, each)),
  );
}
