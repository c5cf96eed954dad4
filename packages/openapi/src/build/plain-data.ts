import type { SpecNode } from "../read/spec-node.js";

/** Returns the strings of an array. */
export function readStrings(place: SpecNode | undefined): readonly string[] {
  return (place?.items() ?? []).map((item) => item.raw).filter((value) => typeof value === "string");
}

/** Returns an object with the key if the value is defined, and an empty object otherwise. For optional properties. */
export function pickDefined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const each = stack.pop();
    if (typeof each !== "object" || each === null || Object.isFrozen(each)) continue;
    Object.freeze(each);
    stack.push(...Object.values(each));
  }
  return value;
}
