import type { Property, Shape } from "../model/api.js";

/** The properties that a shape describes only in some cases, under `then`, `else` or `dependentSchemas`; a type cannot say when. Those that are
 * forbidden in some cases are allowed in others. */
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
