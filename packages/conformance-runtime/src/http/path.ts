import type { Json, OperationInfo, ParameterInfo } from "../suite.js";
import { isJsonObject, type JsonObject, toText } from "../values/json.js";
import { isJsonMediaType } from "./decode-response.js";
import { encodeText, explodedPairs, flatValues, percentEncode } from "./query.js";

/**
 * Expands a path template, with each parameter in its style: `simple`, `label` or `matrix`. An id of several segments keeps its slashes.
 *
 * @throws Error for a missing value
 */
export function encodePath({ method, path, parameters }: OperationInfo, values: JsonObject): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
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
  if (mediaType !== undefined) return percentEncode(isJsonMediaType(mediaType) ? JSON.stringify(value) : toText(value));
  // A period in a value would separate it.
  const encode = (each: Json): string => encodeText(each).replaceAll(".", exploded === "." ? "%2E" : ".");
  if (!explode) return start + (isMatrix ? `${percentEncode(name)}=` : "") + flatValues(value).map(encode).join(joined);
  const pairs = explodedPairs(name, value).map(([key, each]) => [encode(key), encode(each)] as const);
  return start + pairs.map((pair) => (isMatrix || isJsonObject(value) ? pair.join("=") : pair[1])).join(exploded);
}
