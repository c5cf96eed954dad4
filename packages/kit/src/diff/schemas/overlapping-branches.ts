import type { Property, Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { annotationKeys } from "./compare-annotations.js";
import { isOfTypes } from "./compare-types.js";
import { flattenSchema } from "./flatten-schema.js";

/**
 * Whether a branch certainly accepts values of another one. `oneOf` rejects what two of its branches accept. Branches whose common fields
 * differ do not count, even if these fields may be absent: they tell the branches apart.
 */
export function isOverlapping(
  branch: Schema,
  other: Schema,
  resolve: (name: string) => Schema | undefined,
  depth = 0,
): boolean {
  const [accepting, given] = [flattenSchema(branch, resolve), flattenSchema(other, resolve)];
  if (accepting === undefined || given === undefined || depth > deepest) return false;
  const isMet = (key: keyof Schema): boolean =>
    comparedKeys.has(key) || accepting[key] === undefined || isDeepEqual(accepting[key], given[key]);
  const fields = new Map(accepting.properties?.map((each) => [each.name, each.schema]));
  const isAccepted = ({ name, schema }: Property): boolean => {
    const field = fields.get(name);
    return field === undefined || isOverlapping(field, schema, resolve, depth + 1);
  };
  return (
    (Object.keys(accepting) as (keyof Schema)[]).every(isMet) &&
    isOfTypes(given, accepting) &&
    (accepting.required ?? []).every((name) => given.required?.includes(name)) &&
    (given.required ?? []).every((name) => fields.has(name) || areOthersAllowed(accepting)) &&
    (given.properties ?? []).every(isAccepted)
  );
}

/** Whether an object may have any fields besides its own. */
function areOthersAllowed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === undefined && unevaluatedProperties === undefined;
}

/** Keys that are compared in a way of their own, or do not restrict values. */
const comparedKeys: ReadonlySet<keyof Schema> = new Set([
  ...(["types", "properties", "required", "additionalProperties", "unevaluatedProperties"] as const),
  ...annotationKeys,
]);

const deepest = 8; // steps into a value
