import type { Json, OperationInfo, ParameterInfo } from "../suite.js";
import { isJsonArray, isJsonObject, type JsonObject, toText } from "../values/json.js";
import { percentEncode } from "./query.js";

/**
 * Expands a path template, with each parameter in its style: `simple`, `label` or `matrix`. An id of several segments keeps its slashes.
 *
 * @throws Error for a missing value
 */
export function encodePath({ method, path, parameters }: OperationInfo, values: JsonObject): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`${method} ${path} is called without its path parameter ${name}. Set it in "path".`);
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    if ((parameter?.segments ?? 1) > 1) return toText(value).split("/").map(percentEncode).join("/");
    return parameter === undefined ? percentEncode(toText(value)) : encodeParameter(value, parameter);
  });
}

/** The separators of a style, exploded and not, and what begins it. */
const styles = {
  simple: { start: "", exploded: ",", joined: "," },
  label: { start: ".", exploded: ".", joined: "," },
  matrix: { start: ";", exploded: ";", joined: "," },
} as const;

function encodeParameter(value: Json, { name, style, explode, mediaType }: ParameterInfo): string {
  const { start, exploded, joined } = style === "label" || style === "matrix" ? styles[style] : styles.simple;
  const isMatrix = style === "matrix";
  const own = isMatrix ? `${percentEncode(name)}=` : "";
  const encode = (each: Json): string => percentEncode(toText(each));
  if (mediaType !== undefined) return start + own + percentEncode(JSON.stringify(value));
  if (isJsonArray(value))
    return explode
      ? start + value.map((each) => own + encode(each)).join(exploded)
      : start + own + value.map(encode).join(joined);
  if (!isJsonObject(value)) return start + own + encode(value);
  const entries = Object.entries(value).map(([key, each]) => [percentEncode(key), encode(each)] as const);
  return explode
    ? start + entries.map(([key, each]) => `${key}=${each}`).join(exploded)
    : start + own + entries.flat().join(joined);
}
