import { isArray, isObject, ownField } from "../../http/index.js";

/** Equality of JSON Schema: by value, whatever the order of properties. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

/** Whether no two items are equal (`uniqueItems`). */
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

/** Whether no two items have equal values in all of these properties. */
export function isUniqueBy(items: readonly unknown[], fields: readonly string[]): boolean {
  const keys = items.filter(isObject).map((item) => canonical(fields.map((field) => ownField(item, field))));
  return new Set(keys).size === keys.length;
}

/** Returns the same text for equal values. */
function canonical(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** Whether a number is a multiple in decimal arithmetic: 19.99 is a multiple of 0.01, although doubles represent neither exactly. */
export function isMultipleOf(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const [digits, exponent] = decimal(value);
  const [ofDigits, ofExponent] = decimal(of);
  const least = Math.min(exponent, ofExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (ofDigits * 10n ** BigInt(ofExponent - least)) === 0n;
}

/** A number as digits and a power of ten: 19.99 is 1999 and -2. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [integer = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(`${integer}${fraction}`), Number(exponent) - fraction.length];
}
