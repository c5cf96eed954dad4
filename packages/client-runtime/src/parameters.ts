/**
 * Writes one parameter that is not undefined: in a query or cookie with its name (an empty text leaves it out), in a
 * path or header its value alone. What it writes into a URL is percent-encoded already.
 */
export type ParameterEncoder = (name: string, value: unknown) => string;

/** Encoders by the names of their parameters. */
export type Encoders = Readonly<Record<string, ParameterEncoder>>;

/** Writes what a query, cookie or form holds; without an encoder as `otherwise`. */
export function writeAll(
  values: object | undefined,
  encoders: Encoders | undefined,
  separator: string,
  otherwise: ParameterEncoder = form,
): string {
  return Object.entries(values ?? {})
    .map(([name, value]) =>
      value === undefined ? "" : (own<ParameterEncoder>(encoders, name) ?? otherwise)(name, value),
    )
    .filter(Boolean)
    .join(separator);
}

/** `a=1&a=2`, and `k=v&k2=v2` for an object: OpenAPI's exploded `form`, which a query has when nothing else is said. */
export function form(name: string, value: unknown): string {
  return pairs(name, value)
    .map(([key, each]) => `${encode(key)}=${encode(text(name, each))}`)
    .join("&");
}

/**
 * The items of an array and the value itself under the parameter's name, the fields of an object under theirs; null and
 * undefined are left out.
 */
export function pairs(name: string, value: unknown): [key: string, value: unknown][] {
  const all: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => [name, each])
    : hasFields(value)
      ? Object.entries(value)
      : [[name, value]];
  return all.filter(([, each]) => each != null);
}

/** A scalar as text, a date in ISO 8601; throws for what has no obvious text, `NaN` included. */
export function text(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const kind = typeof value;
  if (kind === "string" || kind === "boolean" || kind === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`${name} must be a string, a finite number, a boolean or a date`);
}

/** The texts of an array's items, or of the one value. */
export function textsOf(name: string, value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map((each) => text(name, each));
}

/** Percent-encodes all but letters, digits and `-._~`. */
export function encode(value: string): string {
  // These five are left alone by `encodeURIComponent`.
  return encodeURIComponent(value).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A property that the object has of its own: parameters may be called `constructor`. */
export function own<T>(values: object | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? (values as Record<string, T>)[name] : undefined;
}

/** Whether a value is an object or array that is written field by field. */
export function hasFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
