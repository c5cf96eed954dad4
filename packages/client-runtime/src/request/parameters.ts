/**
 * Encodes one parameter that is not undefined. In a query or cookie, with its name; an empty text leaves it out. In a path or header, its value
 * alone.
 * Returns percent-encoded text for a URL.
 */
export type ParameterEncoder = (name: string, value: unknown) => string;

/** Encoders by parameter name. */
export type Encoders = Readonly<Record<string, ParameterEncoder>>;

/** Encodes the parameters of a query, cookie or form. Parameters without an encoder use `otherwise`. */
export function encodeAll(
  values: object | undefined,
  encoders: Encoders | undefined,
  separator: string,
  otherwise: ParameterEncoder = formExploded,
): string {
  return Object.entries(values ?? {})
    .map(([name, value]) =>
      value === undefined ? "" : (ownProperty<ParameterEncoder>(encoders, name) ?? otherwise)(name, value),
    )
    .filter(Boolean)
    .join(separator);
}

/** Encodes `a=1&a=2`, and `k=v&k2=v2` for an object: OpenAPI's exploded `form`, the default of queries. */
export function formExploded(name: string, value: unknown): string {
  return explodedWith("&", percentEncode, name, value);
}

/** Encodes the pairs of an exploded value. A property may be an array, which repeats its name. */
export function explodedWith(
  separator: string,
  encode: (text: string) => string,
  name: string,
  value: unknown,
): string {
  return parameterPairs(name, value)
    .flatMap((pair) => (Array.isArray(pair[1]) && !Array.isArray(value) ? parameterPairs(...pair) : [pair]))
    .map(([key, each]) => `${percentEncode(key)}=${encode(scalarToText(name, each))}`)
    .join(separator);
}

/** The items of an array, or the value itself, under the parameter's name; the properties of an object under theirs. Leaves out null and undefined. */
export function parameterPairs(name: string, value: unknown): [key: string, value: unknown][] {
  const all: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => [name, each])
    : hasProperties(value)
      ? Object.entries(value)
      : [[name, value]];
  return all.filter(([, each]) => each != null);
}

/** Converts a scalar to text, a date to ISO 8601. Throws for other values, `NaN` included. */
export function scalarToText(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const kind = typeof value;
  if (kind === "string" || kind === "boolean" || kind === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`${name} must be a string, a finite number, a boolean or a date`);
}

/** Percent-encodes everything but letters, digits and `-._~`. */
export function percentEncode(value: string): string {
  // `encodeURIComponent` does not encode these five.
  return encodeURIComponent(value).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns an own property of an object. Parameters may be named `constructor`. */
export function ownProperty<T>(values: object | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? (values as Record<string, T>)[name] : undefined;
}

/** Whether a value is an object or array whose properties are encoded one by one. */
export function hasProperties(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
