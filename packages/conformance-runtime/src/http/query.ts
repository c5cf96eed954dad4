import { toText, isJsonObject, isJsonArray, type JsonObject } from "../values/json.js";
import type { Json, ParameterInfo } from "../suite.js";

/** Encodes the query, without the question mark. Undocumented parameters are encoded as exploded `form`. */
export function encodeQuery(values: JsonObject, parameters: readonly ParameterInfo[]): string {
  return Object.entries(values)
    .map(([name, value]) =>
      pairOf(
        name,
        value,
        parameters.find((each) => each.in === "query" && each.name === name),
      ),
    )
    .filter((pair) => pair !== "")
    .join("&");
}

function pairOf(name: string, value: Json, parameter: ParameterInfo | undefined): string {
  if (typeof value !== "object" || value === null) return `${percentEncode(name)}=${percentEncode(toText(value))}`;
  if (parameter?.mediaType !== undefined) return `${percentEncode(name)}=${percentEncode(JSON.stringify(value))}`;
  if (parameter?.style === "deepObject") return deep(name, value, parameter.nestedArrays);
  if (parameter?.style === "spaceDelimited") return joined(name, value, "%20");
  if (parameter?.style === "pipeDelimited") return joined(name, value, "%7C");
  if (parameter?.explode === false) return joined(name, value, ",");
  if (isJsonArray(value)) return value.map((each) => `${percentEncode(name)}=${percentEncode(toText(each))}`).join("&");
  return Object.entries(value)
    .map(([key, each]) => `${percentEncode(key)}=${percentEncode(toText(each))}`)
    .join("&");
}

function deep(name: string, value: Json, arrays: ParameterInfo["nestedArrays"]): string {
  if (typeof value !== "object" || value === null) return pairOf(name, value, undefined);
  const scalar = arrays === "repeat" ? "" : "[]";
  const keyOf = (key: string, each: Json): string =>
    isJsonArray(value) && arrays !== "indices" && (typeof each !== "object" || each === null) ? scalar : `[${key}]`;
  return Object.entries(value)
    .map(([key, each]) => deep(name + keyOf(key, each), each, arrays))
    .filter((pair) => pair !== "")
    .join("&");
}

/** Encodes a form. Fields without an encoding of their own are texts; an array repeats its name, and objects are JSON. */
export function encodeForm(values: JsonObject, fields: readonly ParameterInfo[]): string {
  const plain = (value: Json): Json => (isJsonObject(value) ? JSON.stringify(value) : value);
  const written = Object.entries(values).map(([name, value]) => {
    if (fields.some((each) => each.name === name)) return [name, value] as const;
    return [name, isJsonArray(value) ? value.map(plain) : plain(value)] as const;
  });
  return encodeQuery(Object.fromEntries(written), fields);
}

function joined(name: string, value: Json, separator: string): string {
  const items = isJsonObject(value) ? Object.entries(value).flat() : isJsonArray(value) ? value : [value];
  return `${percentEncode(name)}=${items.map((each) => percentEncode(toText(each))).join(separator)}`;
}

/** A lone surrogate cannot be encoded and is replaced. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}
