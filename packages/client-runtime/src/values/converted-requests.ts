import type { RequestEncoder } from "../operation.js";
import { setBody, setContentType } from "../request/bodies.js";
import { isPart } from "../request/multipart.js";
import { percentEncode, type ParameterEncoder } from "../request/parameters.js";
import { ConversionError, encodeValue, type Converter } from "./convert.js";
import { stringifyExactJson } from "./exact-json.js";
import { isPlainObject } from "./plain-objects.js";

/** Converts the body, and encodes it with another encoder. */
export function convertedBody(converter: Converter, encode: RequestEncoder): RequestEncoder {
  return (request, given) => encode(request, { ...given, body: encodeArgument("body", converter, given.body) });
}

/** Like `convertedBody`, for a multipart body in which some parts may have headers. */
export function convertedParts(converter: Converter, encode: RequestEncoder): RequestEncoder {
  return (request, given) => {
    const body: unknown = given.body;
    if (!isPlainObject(body)) return encode(request, given);
    const values = mapFields(body, (each) => (isPart(each) ? each.value : each));
    const encoded = encodeArgument("body", converter, values) as typeof values;
    encode(request, {
      ...given,
      body: mapFields(body, (each, name) => (isPart(each) ? { ...each, value: encoded[name] } : encoded[name])),
    });
  };
}

/** Converts a parameter, and encodes it with another encoder. */
export function convertedParameter(converter: Converter, encode: ParameterEncoder): ParameterEncoder {
  return (name, value) => encode(name, encodeArgument(name, converter, value));
}

/** Encodes the body as JSON, and each `bigint` in it as its digits. */
export function exactJsonBody(contentType: string): RequestEncoder {
  return (request, { body }) => {
    if (body === undefined) return;
    setContentType(request, contentType);
    setBody(request, stringifyExactJson(body));
  };
}

/**
 * Encodes the fields of a form that are objects as JSON, and each `bigint` in them as its digits. Then encodes the form.
 *
 * @param styled the fields that another style encodes
 */
export function exactJsonFields(encode: RequestEncoder, styled: readonly string[] = []): RequestEncoder {
  return (request, given) => {
    const body: unknown = given.body;
    const fields = isPlainObject(body)
      ? mapFields(body, (each, name) => (styled.includes(name) ? each : toField(each)))
      : body;
    encode(request, { ...given, body: fields });
  };
}

function toField(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toField);
  if (isPart(value)) return { ...value, value: toField(value.value) };
  return isPlainObject(value) ? stringifyExactJson(value) : value;
}

function mapFields(
  fields: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, change(each, name)]));
}

/** Like `jsonParameter`, with each `bigint` as its digits. */
export function exactJsonParameter(name: string, value: unknown): string {
  return `${percentEncode(name)}=${percentEncode(stringifyExactJson(value) ?? "")}`;
}

/** Like `jsonHeader`, with each `bigint` as its digits. */
export function exactJsonHeader(_: string, value: unknown): string {
  return (stringifyExactJson(value) ?? "").replace(
    /[\u007f-\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Throws an error with the name of the argument and the pointer into it, without the value. */
function encodeArgument(name: string, converter: Converter, value: unknown): unknown {
  try {
    return encodeValue(converter, value);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new TypeError(`${name}${error.pointer && ` at ${error.pointer}`} ${error.message}`, { cause: error });
  }
}
