import type { Property, Schema } from "../../model/index.js";

/**
 * Returns the properties that a schema declares conditionally, under `then`, `else` or `dependentSchemas`. Types cannot
 * express the condition.
 * Properties that one case forbids are allowed in another.
 */
export function conditionalProperties(schema: Schema): readonly Property[] {
  const cases = [schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})];
  const all = cases.flatMap((each) => each?.properties ?? []).filter(({ schema: each }) => !each.never);
  const names = new Set(all.map((property) => property.name));
  for (const { name } of schema.properties ?? []) names.delete(name);
  return [...names].map((name) => {
    const same = all.filter((property) => property.name === name);
    const [first] = same;
    const described = same.map((property) => property.schema);
    const union: Schema = { types: [], anyOf: described, origin: schema.origin };
    return {
      name,
      readOnly: false,
      writeOnly: false,
      ...first,
      required: false,
      schema: described.length === 1 && first ? first.schema : union,
    };
  });
}
