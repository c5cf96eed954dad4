import { type Api, type Schema, memoize, schemasByName, visitSubschemas } from "../../model/index.js";

/** Whether the named schema, or one that it refers to directly or not, contains a schema that passes a test. */
export function reachesSchema(api: Api, name: string, test: (schema: Schema) => boolean): boolean {
  return [...reached(api)(name)].some(test);
}

const reached = memoize((api): ((name: string) => ReadonlySet<Schema>) => {
  const byName = new Map<string, ReadonlySet<Schema>>();
  return (name) => {
    const before = byName.get(name);
    if (before !== undefined) return before;
    const schemas = new Set<Schema>();
    const names = new Set([name]);
    for (const each of names) {
      const schema = schemasByName(api).get(each);
      if (schema === undefined) continue;
      visitSubschemas(schema, (part) => {
        schemas.add(part);
        if (part.ref !== undefined) names.add(part.ref);
      });
    }
    byName.set(name, schemas);
    return schemas;
  };
});
