/** What compiled checks ask of values. */

export type Fields = Readonly<Record<string, unknown>>;

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** True for a field of its own, whatever its value. */
export function hasOwn(value: unknown, field: string): boolean {
  return isObject(value) && Object.hasOwn(value, field);
}

/** True for a field of its own that says something: not null. */
export function isGiven(value: unknown, field: string): boolean {
  const given = isObject(value) ? ownField(value, field) : undefined;
  return given !== undefined && given !== null;
}

/** A field of its own; undefined for what every object inherits. */
export function ownField(value: Fields, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

/** JSON Schema's equality: by value, whatever the order of fields. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

/** True where no two items are equal. */
export function isUnique(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const others: unknown[] = [];
  for (const item of items) {
    if (typeof item === "object" && item !== null) {
      others.push(item);
      continue;
    }
    if (scalars.has(item)) return false;
    scalars.add(item);
  }
  return others.length < 2 || new Set(others.map(canonical)).size === others.length;
}

/** True where no two items agree in all of these fields. */
export function isUniqueBy(items: readonly unknown[], fields: readonly string[]): boolean {
  const keys = items.filter(isObject).map((item) => canonical(fields.map((field) => ownField(item, field))));
  return new Set(keys).size === keys.length;
}

/** The same text for equal values. */
function canonical(value: unknown): string {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** True for a multiple in the decimals that people write: 19.99 is one of 0.01, though doubles have neither. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const [digits, exponent] = decimal(value);
  const [ofDigits, ofExponent] = decimal(of);
  const least = Math.min(exponent, ofExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (ofDigits * 10n ** BigInt(ofExponent - least)) === 0n;
}

/** A number as digits and a power of ten: 19.99 is 1999 and -2. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(`${whole}${fraction}`), Number(exponent) - fraction.length];
}
