import { asText, isFields, isList, type Fields } from "./json.js";
import type { Json, ParameterFacts } from "./suite.js";

/** Encodes the query, without the question mark. Undocumented parameters are encoded as exploded `form`. */
export function queryOf(values: Fields, parameters: readonly ParameterFacts[]): string {
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

function pairOf(name: string, value: Json, parameter: ParameterFacts | undefined): string {
  if (typeof value !== "object" || value === null) return `${encode(name)}=${encode(asText(value))}`;
  if (parameter?.mediaType !== undefined) return `${encode(name)}=${encode(JSON.stringify(value))}`;
  if (parameter?.style === "deepObject") return deep(name, value);
  if (parameter?.style === "spaceDelimited") return joined(name, value, "%20");
  if (parameter?.style === "pipeDelimited") return joined(name, value, "%7C");
  if (parameter?.explode === false) return joined(name, value, ",");
  if (isList(value)) return value.map((each) => `${encode(name)}=${encode(asText(each))}`).join("&");
  return Object.entries(value)
    .map(([key, each]) => `${encode(key)}=${encode(asText(each))}`)
    .join("&");
}

function deep(name: string, value: Json): string {
  if (isFields(value))
    return Object.entries(value)
      .map(([key, each]) => deep(`${name}[${key}]`, each))
      .join("&");
  return pairOf(name, value, undefined);
}

function joined(name: string, value: Json, separator: string): string {
  const items = isFields(value) ? Object.entries(value).flat() : isList(value) ? value : [value];
  return `${encode(name)}=${items.map((each) => encode(asText(each))).join(separator)}`;
}

/** A lone surrogate cannot be encoded and is replaced. */
export function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}
