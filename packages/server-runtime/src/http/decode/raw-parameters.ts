/** The encoded values of one location (path, query, headers, cookies, a form), by name. */
export interface RawParameters {
  /** The encoded value. An array if the name occurs several times. */
  get(name: string): RawValue | undefined;
  names(): Iterable<string>;
  /** Undefined if the text is malformed. */
  decode(text: string): string | undefined;
}

export type RawValue = string | Blob | readonly (string | Blob)[];

/** Path parameters by name, such as `a%20b`. */
export function pathParameters(names: readonly string[], values: readonly string[]): RawParameters {
  return {
    get: (name) => values[names.indexOf(name)],
    names: () => names,
    decode: decodePercent,
  };
}

/** A record of texts without encoding. */
export function plainParameters(texts: Readonly<Record<string, RawValue | undefined>>): RawParameters {
  return {
    get: (name) => (Object.hasOwn(texts, name) ? texts[name] : undefined),
    names: () => Object.keys(texts),
    decode: identity,
  };
}

/** Headers by lower-case name. They may have spaces after commas. */
export function headerParameters(header: (name: string) => string | undefined): RawParameters {
  return { get: header, names: () => [], decode: (text) => text.trim() };
}

/** Parses a Cookie header: `a=1; b=%20`. */
export function cookieParameters(header: string | undefined): RawParameters {
  const texts = new Map<string, string | string[]>();
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1) continue;
    const name = pair.slice(0, equals).trim();
    addValue(texts, decodePercent(name) ?? name, withoutQuotes(pair.slice(equals + 1).trim()));
  }
  return parametersByName(texts, decodePercent);
}

export function parametersByName(texts: ReadonlyMap<string, RawValue>, decode: RawParameters["decode"]): RawParameters {
  return { get: (name) => texts.get(name), names: () => texts.keys(), decode };
}

/** The same values, with the names that are read added to a set. */
export function recordReads(sent: RawParameters, names: Set<string> | undefined): RawParameters {
  if (names === undefined) return sent;
  const get = (name: string): RawValue | undefined => {
    names.add(name);
    return sent.get(name);
  };
  return { ...sent, get };
}

/** Adds a value to those of its name. */
export function addValue<T>(to: Map<string, T | T[]>, name: string, value: T): void {
  const before = to.get(name);
  if (before === undefined) to.set(name, value);
  else if (Array.isArray(before)) before.push(value);
  else to.set(name, [before, value]);
}

/** Decodes percent-encoded UTF-8. Undefined if it is malformed. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function identity<Value>(value: Value): Value {
  return value;
}

function withoutQuotes(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
