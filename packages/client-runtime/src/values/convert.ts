import { hasToJson, isPlainObject } from "./plain-objects.js";

/** Says where a value has dates and 64-bit integers. Generated code has one for each named schema that contains such a value. */
export type Converter =
  | ScalarConverter
  /** The converter of a named schema. */
  | (() => Converter)
  | { readonly fields: Readonly<Record<string, Converter>> }
  | { readonly map: Converter }
  | { readonly items: Converter }
  /** The first items. Null: unchanged. */
  | { readonly prefix: readonly (Converter | null)[]; readonly rest?: Converter }
  /** Each applies. It leaves values of other types unchanged. */
  | { readonly all: readonly Converter[] }
  /** The property `tag` selects the converter. */
  | { readonly tag: string; readonly variants: Readonly<Record<string, Converter>> }
  /** Leaves what it cannot convert unchanged. */
  | { readonly lenient: Converter };

/** Converts a scalar between JSON and a value. Both leave values of other types unchanged, and throw a `ConversionError`. */
export interface ScalarConverter {
  /** `exact`: an array with the text of a number that JavaScript may not represent exactly. */
  readonly decode: (value: unknown, exact: unknown) => unknown;
  readonly encode: (value: unknown) => unknown;
}

/** A value that cannot be converted. Its message does not have the value, which may be a secret. */
export class ConversionError extends Error {
  override get name(): string {
    return "ConversionError";
  }

  /** The JSON pointer to the value. */
  pointer = "";
}

/** Converts parsed JSON to values, in place. `exact` is the same JSON with the texts of long numbers. */
export function decodeValue(converter: Converter, value: unknown, exact: unknown, lenient = false): unknown {
  return convert(converter, value, { encodes: false, copies: false, lenient }, exact);
}

/** Converts parsed JSON to values. Copies what it changes. */
export function decodeCopy(converter: Converter, value: unknown): unknown {
  return convert(converter, value, { encodes: false, copies: true, lenient: false }, undefined);
}

/** Converts values to what JSON can express. Copies what it changes. A large integer stays a `bigint`. */
export function encodeValue(converter: Converter, value: unknown): unknown {
  return convert(converter, value, { encodes: true, copies: true, lenient: false }, undefined);
}

interface Conversion {
  readonly encodes: boolean;
  /** Copies what it changes. Otherwise it changes arrays and objects in place. */
  readonly copies: boolean;
  readonly lenient: boolean;
}

function convert(converter: Converter, value: unknown, conversion: Conversion, exact: unknown): unknown {
  if (typeof converter === "function") return convert(converter(), value, conversion, exact);
  if ("decode" in converter) return convertScalar(converter, value, conversion, exact);
  if ("all" in converter) return converter.all.reduce((each, next) => convert(next, each, conversion, exact), value);
  if ("lenient" in converter) return convert(converter.lenient, value, { ...conversion, lenient: true }, exact);
  if (typeof value !== "object" || value === null || (conversion.encodes && hasToJson(value))) return value;
  return Array.isArray(value)
    ? convertArray(converter, value, conversion, exact)
    : isPlainObject(value)
      ? convertObject(converter, value, conversion, exact)
      : value;
}

type ContainerConverter = Exclude<
  Converter,
  ScalarConverter | (() => Converter) | { all: unknown } | { lenient: unknown }
>;

function convertScalar(
  converter: ScalarConverter,
  value: unknown,
  { encodes, lenient }: Conversion,
  exact: unknown,
): unknown {
  try {
    return encodes ? converter.encode(value) : converter.decode(value, exact);
  } catch (error) {
    // Any other value is a date or an integer of the program.
    if (lenient && error instanceof ConversionError && /^(string|number)$/.test(typeof value)) return value;
    throw error;
  }
}

function convertArray(
  converter: ContainerConverter,
  value: unknown[],
  conversion: Conversion,
  exact: unknown,
): unknown[] {
  const prefix = "prefix" in converter ? converter.prefix : [];
  const rest = "items" in converter ? converter.items : "prefix" in converter ? converter.rest : undefined;
  if (!rest && !prefix.length) return value;
  const result = conversion.copies ? [...value] : value;
  for (let index = 0; index < result.length; index++) {
    const itemConverter = index < prefix.length ? prefix[index] : rest;
    if (itemConverter) convertMember(result, index, itemConverter, conversion, exact);
  }
  return result;
}

function convertObject(
  converter: ContainerConverter,
  value: Record<string, unknown>,
  conversion: Conversion,
  exact: unknown,
): unknown {
  if ("tag" in converter) {
    const tag = Object.hasOwn(value, converter.tag) ? String(value[converter.tag]) : "";
    const variant = Object.hasOwn(converter.variants, tag) ? converter.variants[tag] : undefined;
    return variant ? convert(variant, value, conversion, exact) : value;
  }
  if (!("fields" in converter) && !("map" in converter)) return value;
  const result = conversion.copies ? { ...value } : value;
  for (const key of Object.keys("map" in converter ? result : converter.fields)) {
    const fieldConverter = "map" in converter ? converter.map : converter.fields[key];
    if (fieldConverter && Object.hasOwn(result, key)) convertMember(result, key, fieldConverter, conversion, exact);
  }
  return result;
}

/** Reads `exact` before it writes: both may be one object. */
function convertMember(
  holder: object,
  key: string | number,
  converter: Converter,
  conversion: Conversion,
  exact: unknown,
): void {
  const members = holder as Record<string | number, unknown>;
  try {
    members[key] = convert(converter, members[key], conversion, (exact as typeof members | undefined)?.[key]);
  } catch (error) {
    if (error instanceof ConversionError)
      error.pointer = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}${error.pointer}`;
    throw error;
  }
}
