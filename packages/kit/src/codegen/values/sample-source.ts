import type { Json, Property, Schema } from "../../model/index.js";

/** A value of a schema, and whether it meets all of its keywords. */
export interface Sample {
  readonly value: Json;
  /** False where no valid value was found: there is none, or it is too hard to find. The value then is the nearest try. */
  readonly isValid: boolean;
}

/** Where lists and objects get the values in them. Several schemas apply together. */
export interface SampleSource {
  readonly first: (schemas: readonly Schema[]) => Sample;
  /** Valid values, the plainest first. */
  readonly values: (schemas: readonly Schema[]) => Iterable<Json>;
  readonly isOmitted: (property: Property) => boolean;
}

/** One schema for a value that must match several. */
export function intersectSchemas(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  if (first === undefined) throw new RangeError("intersectSchemas: missing schema");
  return others.length === 0 ? first : { types: [], allOf: schemas, origin: first.origin };
}

/** The first of many. */
export function* take<T>(values: Iterable<T>, count: number): Generator<T> {
  let index = 0;
  for (const value of values) {
    if (index >= count) return;
    yield value;
    index += 1;
  }
}
