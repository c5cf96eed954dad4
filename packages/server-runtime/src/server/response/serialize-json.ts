import { isArray, isObject, type ValidationIssue } from "../../http/index.js";
import { passthrough, isUnexpectedStructureError, type Serializer, type SerializationContext } from "./serializers.js";

/** Serializes a body as JSON. Returns an issue if that is not possible. */
export function serializeJson(
  serialize: Serializer = passthrough,
  body: unknown,
  context: SerializationContext,
): string | ValidationIssue {
  let serialized: unknown;
  try {
    serialized = serialize(body, context);
  } catch (error) {
    if (!isUnexpectedStructureError(error)) throw error;
    const { value } = error;
    const path = pathTo((each) => each === value, body);
    return jsonIssue(path, isArray(value) ? "must not be an array" : "must not be an object");
  }
  try {
    return JSON.stringify(serialized) ?? jsonIssue([], "must be JSON");
  } catch (error) {
    const bigint = pathTo((each) => typeof each === "bigint", serialized);
    if (bigint !== undefined) return jsonIssue(bigint, "is a bigint, which JSON does not have");
    const within = pathTo((each, above) => above.includes(each), serialized);
    if (within !== undefined) return jsonIssue(within, "contains itself, which JSON cannot represent");
    throw error;
  }
}

function jsonIssue(path: readonly string[] | undefined, reason: string): ValidationIssue {
  const field = path === undefined || path.length === 0 ? {} : { field: path.join(".") };
  return { in: "response", ...field, code: "type", reason };
}

type ValuePredicate = (value: unknown, above: readonly unknown[]) => boolean;

/** The path to the first matching value in another. */
function pathTo(
  isSought: ValuePredicate,
  value: unknown,
  above: readonly unknown[] = [],
): readonly string[] | undefined {
  if (isSought(value, above)) return [];
  if (!(isObject(value) || isArray(value)) || above.includes(value)) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const path = pathTo(isSought, child, [...above, value]);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}
