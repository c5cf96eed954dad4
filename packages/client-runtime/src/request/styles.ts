import { percentEncode, formExploded, hasProperties, parameterPairs, scalarToText } from "./parameters.js";

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

/** Encodes exploded `form` with `:/?@!$'()*,;` unchanged: OpenAPI's `allowReserved`. Still encodes what would end the value. */
export function allowReserved(name: string, value: unknown): string {
  return parameterPairs(name, value)
    .map(
      ([key, each]) =>
        `${percentEncode(key)}=${encodeURI(scalarToText(name, each)).replace(/[#&+=]/g, encodeURIComponent)}`,
    )
    .join("&");
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
  return `.${encodeItems(name, value, "=").join(".")}`;
}

/** Encodes `;a=1,2`, and `;a=R,1,G,2` for an object: OpenAPI's `matrix`, not exploded. */
export function matrixStyle(name: string, value: unknown): string {
  const written = simpleStyle(name, value);
  return written && `;${percentEncode(name)}=${written}`;
}

/** Encodes `;a=1;a=2`, and `;R=1;G=2` for an object: OpenAPI's `matrix`, exploded. */
export function matrixExploded(name: string, value: unknown): string {
  return parameterPairs(name, value)
    .map(([key, each]) => `;${percentEncode(key)}=${percentEncode(scalarToText(name, each))}`)
    .join("");
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
  return parameterPairs(name, value)
    .flat()
    .map((each) => scalarToText(name, each))
    .join();
}

/** Encodes `k=v,k2=v2` in a header: OpenAPI's `simple` for an object, exploded. */
export function objectHeaderExploded(name: string, value: unknown): string {
  return parameterPairs(name, value)
    .map(([key, each]) => `${key}=${scalarToText(name, each)}`)
    .join();
}

function joinItems(name: string, value: unknown, separator: string): string {
  const written = encodeItems(name, value, separator);
  return written.length ? `${percentEncode(name)}=${written.join(separator)}` : "";
}

/** The encoded items; those of an object after their keys. */
function encodeItems(name: string, value: unknown, separator: string): string[] {
  const keyed = hasProperties(value) && !Array.isArray(value);
  return parameterPairs(name, value).map(
    ([key, each]) => (keyed ? `${percentEncode(key)}${separator}` : "") + percentEncode(scalarToText(name, each)),
  );
}
