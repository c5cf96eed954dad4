/** The own properties of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether an object has an own property, whatever its value. */
export function hasOwn(value: unknown, field: string): boolean {
  return isObject(value) && Object.hasOwn(value, field);
}

/** Whether an object has an own property that is neither null nor undefined. */
export function isPresent(value: unknown, field: string): boolean {
  const fieldValue = isObject(value) ? ownField(value, field) : undefined;
  return fieldValue !== undefined && fieldValue !== null;
}

/** Returns the value at a path of names and indices. Undefined if there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const token of path) current = childAt(current, token);
  return current;
}

/** Returns the item or the own property that one token of a path names. */
export function childAt(value: unknown, token: string | number): unknown {
  if (isArray(value)) return typeof token === "number" || /^\d+$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) ? ownField(value, String(token)) : undefined;
}

/** Returns an own property. Undefined for what every object inherits. */
export function ownField(value: Fields, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}
