import type { Json, ParameterInfo } from "../suite.js";
import { toText, isJsonObject, isJsonArray, type JsonObject } from "../values/json.js";
import { isJsonMediaType } from "./decode-response.js";

/** Encodes the query, without the question mark. Undocumented parameters are encoded as exploded `form`. A null has no form, and is left out. */
export function encodeQuery(values: JsonObject, parameters: readonly ParameterInfo[]): string {
  return encodePairs(values, parameters, { place: "query", separator: "&" });
}

/** Encodes the value of the Cookie header. */
export function encodeCookies(values: JsonObject, parameters: readonly ParameterInfo[]): string {
  return encodePairs(values, parameters, { place: "cookie", separator: "; " });
}

interface PairForm {
  readonly place: "query" | "cookie";
  readonly separator: string;
}

function encodePairs(values: JsonObject, parameters: readonly ParameterInfo[], { place, separator }: PairForm): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      pairsOf(
        name,
        value,
        parameters.find((each) => each.in === place && each.name === name),
      ),
    )
    .join(separator);
}

function pairsOf(name: string, value: Json, parameter: ParameterInfo | undefined): readonly string[] {
  const { style, explode = true, mediaType = "" } = parameter ?? {};
  const encode = style === "cookie" ? toText : encodeText;
  // A text is sent unchanged, so that cases can send what is no JSON.
  if (isJsonMediaType(mediaType)) return [`${percentEncode(name)}=${encodeText(value)}`];
  if (style === "deepObject") return deep(name, value, parameter?.nestedArrays);
  if (!explode) return joined(name, value, { encode, separator: separators[style ?? ""] ?? "," });
  return explodedPairs(name, value).map(([key, each]) => `${percentEncode(key)}=${encode(each)}`);
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/** The items of an array under its name, and the properties of an object under theirs. A property may be an array. */
export function explodedPairs(name: string, value: Json): readonly (readonly [key: string, value: Json])[] {
  if (isJsonArray(value)) return value.flatMap((each) => (each === null ? [] : [[name, each] as const]));
  if (!isJsonObject(value)) return value === null ? [] : [[name, value]];
  return Object.entries(value).flatMap(([key, each]) =>
    isJsonObject(each) ? [[key, each] as const] : explodedPairs(key, each),
  );
}

/** The items of an array, or the keys and values of an object. */
export function flatValues(value: Json): readonly Json[] {
  const values = isJsonObject(value)
    ? Object.entries(value)
        .filter(([, each]) => each !== null)
        .flat()
    : [value].flat();
  return (values as readonly Json[]).filter((each) => each !== null);
}

function deep(name: string, value: Json, arrays: ParameterInfo["nestedArrays"]): readonly string[] {
  if (typeof value !== "object" || value === null) return pairsOf(name, value, undefined);
  const scalar = arrays === "repeat" ? "" : "[]";
  const keyOf = (key: string, each: Json): string =>
    isJsonArray(value) && arrays !== "indices" && (typeof each !== "object" || each === null) ? scalar : `[${key}]`;
  return Object.entries(value).flatMap(([key, each]) => deep(name + keyOf(key, each), each, arrays));
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

interface JoinedForm {
  readonly encode: (value: Json) => string;
  readonly separator: string;
}

function joined(name: string, value: Json, { encode, separator }: JoinedForm): readonly string[] {
  const values = flatValues(value);
  return values.length === 0 ? [] : [`${percentEncode(name)}=${values.map(encode).join(separator)}`];
}

/** Encodes a value as one text. */
export function encodeText(value: Json): string {
  return percentEncode(toText(value));
}

/** A lone surrogate cannot be encoded and is replaced. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}
