import type { Shape } from "../../model/api.js";
import type { Scope } from "./scope.js";

/**
 * Every field that a shape describes anywhere: its own, and those of all that it consists of. Undefined where it says itself what becomes of
 * others, or describes none: there nothing is unknown.
 */
export function describedFields(scope: Scope, shape: Shape): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  const isOpen = collect(scope, shape, fields, new Set());
  return isOpen || fields.size === 0 ? undefined : fields;
}

/** True where fields of any name are described. */
function collect(scope: Scope, shape: Shape, fields: Set<string>, seen: Set<string>): boolean {
  for (const property of shape.properties ?? []) fields.add(property.name);
  const parts = [
    ...(shape.allOf ?? []),
    ...(shape.anyOf ?? []),
    ...(shape.oneOf ?? []),
    ...[shape.then, shape.else, shape.if].filter((part) => part !== undefined),
    ...Object.values(shape.dependentSchemas ?? {}),
  ];
  if (shape.ref !== undefined && !seen.has(shape.ref)) {
    seen.add(shape.ref);
    parts.push(scope.named(shape.ref));
  }
  let isOpen =
    shape.additionalProperties !== undefined ||
    shape.patternProperties !== undefined ||
    shape.unevaluatedProperties !== undefined;
  for (const part of parts) isOpen = collect(scope, part, fields, seen) || isOpen;
  return isOpen;
}
