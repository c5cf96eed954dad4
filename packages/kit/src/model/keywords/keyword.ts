import type { JsonType, Schema } from "../api.js";

/** A keyword that a value satisfies or not, without subschemas. */
export interface Assertion<Name extends keyof Schema = keyof Schema> {
  readonly name: Name;
  /** The types of the values that it restricts. Empty: all types. */
  readonly types: readonly JsonType[];
  /**
   * Returns the test of a schema that states the keyword, and `undefined` for any other schema. Values of other types
   * pass. Absent if the keyword alone does not decide.
   */
  readonly testOf?: (schema: Schema) => ValueTest | undefined;
}

export type ValueTest = (value: unknown) => boolean;

/** Which way a keyword changes: fewer values are valid, more, or others. */
export type KeywordChange = "tightened" | "loosened" | "changed";

/** A keyword whose value is a number. */
export interface NumericKeyword<Name extends NumericKeywordName = NumericKeywordName> extends Assertion<Name> {
  /** Returns the one number that stands for both in `allOf`, or `undefined` if there is none. */
  readonly combine: (a: number, b: number) => number | undefined;
  /** Returns how a schema differs from an older one by this keyword, or `undefined` if it does not. */
  readonly changeOf: (old: Schema, next: Schema) => KeywordChange | undefined;
}

/** The keywords of `Schema` that hold a number. */
export type NumericKeywordName = {
  [Key in keyof Schema]-?: Required<Schema>[Key] extends number ? Key : never;
}[keyof Schema];

/** Returns the test of a keyword for values of one type. Values of other types pass. */
export function testForType<Name extends keyof Schema, Value>(
  name: Name,
  isOfType: (value: unknown) => value is Value,
  isMet: (value: Value, stated: NonNullable<Schema[Name]>) => boolean,
): (schema: Schema) => ValueTest | undefined {
  return (schema) => {
    const stated = schema[name];
    if (stated === undefined) return undefined;
    return (value) => !isOfType(value) || isMet(value, stated);
  };
}
