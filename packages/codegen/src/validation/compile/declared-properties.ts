import type { Schema } from "@plumbline/model";
import type { FunctionScope } from "./scope.js";

/**
 * Returns every field that a schema declares, in itself or in the schemas it is composed of. Returns `undefined` if the
 * schema
 * declares none, or declares what other fields may be. In both cases, no field is unknown.
 */
export function declaredProperties(scope: FunctionScope, schema: Schema): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  const isOpen = collectDeclared(scope, schema, fields, new Set());
  return isOpen || fields.size === 0 ? undefined : fields;
}

/** Adds the declared fields. Returns true if fields of any name are declared. */
function collectDeclared(scope: FunctionScope, schema: Schema, fields: Set<string>, seen: Set<string>): boolean {
  for (const property of schema.properties ?? []) fields.add(property.name);
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...[schema.then, schema.else, schema.if].filter((part) => part !== undefined),
    ...Object.values(schema.dependentSchemas ?? {}),
  ];
  if (schema.ref !== undefined && !seen.has(schema.ref)) {
    seen.add(schema.ref);
    parts.push(scope.resolve(schema.ref));
  }
  let isOpen =
    schema.additionalProperties !== undefined ||
    schema.patternProperties !== undefined ||
    schema.unevaluatedProperties !== undefined;
  for (const part of parts) isOpen = collectDeclared(scope, part, fields, seen) || isOpen;
  return isOpen;
}
