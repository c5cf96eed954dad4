import { type Api, type Schema, visitSubschemas } from "@plumbline/kit/model";

/** The names of the properties that requests may have, in alphabetical order: those that findings of validation can name. */
export function fieldNamesOf(api: Api): readonly string[] {
  const schemas = new Map(api.schemas.map(({ name, schema }) => [name, schema]));
  const visited = new Set<string>();
  const names = new Set<string>();
  const visit = (schema: Schema): void =>
    visitSubschemas(schema, ({ ref, properties = [], required = [] }) => {
      for (const name of [...properties.map((property) => property.name), ...required]) names.add(name);
      if (ref === undefined || visited.has(ref)) return;
      visited.add(ref);
      const target = schemas.get(ref);
      if (target !== undefined) visit(target);
    });
  for (const { parameters, requestBody } of [...api.operations, ...api.operationsWithoutPath]) {
    for (const { schema } of parameters) visit(schema);
    for (const { schema } of requestBody?.contents ?? []) if (schema !== undefined) visit(schema);
  }
  return [...names].toSorted();
}
