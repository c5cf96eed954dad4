import type { Property, Shape } from "../model/api.js";

/**
 * Returns the properties that a schema declares conditionally, under `then`, `else` or `dependentSchemas`. Types cannot
 * express the condition.
 * Properties that one case forbids are allowed in another.
 */
export function conditionalProperties(shape: Shape): readonly Property[] {
  const cases = [shape.then, shape.else, ...Object.values(shape.dependentSchemas ?? {})];
  const all = cases.flatMap((each) => each?.properties ?? []).filter(({ shape: each }) => !each.never);
  const names = new Set(all.map((property) => property.name));
  for (const { name } of shape.properties ?? []) names.delete(name);
  return [...names].map((name) => {
    const same = all.filter((property) => property.name === name);
    const [first] = same;
    const described = same.map((property) => property.shape);
    const union: Shape = { types: [], anyOf: described, origin: shape.origin };
    return {
      name,
      readOnly: false,
      writeOnly: false,
      ...first,
      required: false,
      shape: described.length === 1 && first ? first.shape : union,
    };
  });
}
