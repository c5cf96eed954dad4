import type { JsonType } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";

/** Returns the strings of an array. */
export function readStrings(place: SpecNode | undefined): readonly string[] {
  return (place?.items() ?? []).map((item) => item.raw).filter((value) => typeof value === "string");
}

/** The fields of a type, all of which have to be stated. Those that may be absent may be undefined. */
export type AllFields<T> = { readonly [Key in keyof T]-?: object extends Pick<T, Key> ? T[Key] | undefined : T[Key] };

/** Returns an object without its undefined fields. What reads a type this way does not compile until it reads a field that is new. */
export function definedFields<T>(fields: AllFields<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  const stack: object[] = [];
  const add = (each: unknown): void => {
    if (typeof each === "object" && each !== null && !Object.isFrozen(each)) stack.push(each);
  };
  add(value);
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    Object.freeze(each);
    for (const inner of Object.values(each)) add(inner);
  }
  return value;
}

/** True for a type of JSON Schema. The linter reports any other one, such as `file`. */
export function isJsonType(written: string): written is JsonType {
  return ["null", "boolean", "integer", "number", "string", "array", "object"].includes(written);
}
