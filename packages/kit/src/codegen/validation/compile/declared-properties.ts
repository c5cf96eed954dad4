import type { Schema, SchemasByName } from "../../../model/index.js";

/**
 * Returns every field that a schema declares, in itself or in the schemas it is composed of. Returns `undefined` if the
 * schema
 * declares none, or declares what other fields may be. In both cases, no field is unknown.
 */
export function declaredProperties(schemas: SchemasByName, schema: Schema): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  const isOpen = collectDeclared(schemas, schema, fields, new Set());
  return isOpen || fields.size === 0 ? undefined : fields;
}

/** Adds the declared fields. Returns true if fields of any name are declared. */
function collectDeclared(schemas: SchemasByName, schema: Schema, fields: Set<string>, visited: Set<string>): boolean {
  for (const property of schema.properties ?? []) fields.add(property.name);
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...[schema.then, schema.else, schema.if].filter((part) => part !== undefined),
    ...Object.values(schema.dependentSchemas ?? {}),
  ];
  if (schema.ref !== undefined && !visited.has(schema.ref)) {
    visited.add(schema.ref);
    const target = schemas.get(schema.ref);
    if (target !== undefined) parts.push(target);
  }
  let isOpen =
    schema.additionalProperties !== undefined ||
    schema.patternProperties !== undefined ||
    schema.unevaluatedProperties !== undefined;
  for (const part of parts) isOpen = collectDeclared(schemas, part, fields, visited) || isOpen;
  return isOpen;
}
