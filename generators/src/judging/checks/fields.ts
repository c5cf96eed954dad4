import type { Shape } from "../../model/api.js";
import type { Scope } from "./scope.js";

/**
 * Returns every field that a schema declares, in itself or in the schemas it is composed of. Returns `undefined` if the
 * schema
 * declares none, or declares what other fields may be. In both cases, no field is unknown.
 */
export function describedFields(scope: Scope, shape: Shape): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  const isOpen = collect(scope, shape, fields, new Set());
  return isOpen || fields.size === 0 ? undefined : fields;
}

/** Adds the declared fields. Returns true if fields of any name are declared. */
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
