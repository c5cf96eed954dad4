import { type Api, type Schema, schemasByName, visitSubschemas } from "../../model/index.js";

/** Returns these schemas, and all schemas that they hold or refer to, each named schema once. */
export function reachableSchemas(api: Api, roots: readonly Schema[]): readonly Schema[] {
  const byName = schemasByName(api);
  const names = new Set<string>();
  const schemas: Schema[] = [];
  const visit = (root: Schema): void =>
    visitSubschemas(root, (schema) => {
      schemas.push(schema);
      if (schema.ref !== undefined) names.add(schema.ref);
    });
  for (const root of roots) visit(root);
  // A set visits what is added during the visit.
  for (const name of names) {
    const schema = byName.get(name);
    if (schema !== undefined) visit(schema);
  }
  return schemas;
}
