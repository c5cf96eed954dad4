import type { Api, Property, Shape } from "./api.js";
import { once } from "./once.js";

/** A value somewhere in a shape. */
export interface Field {
  /** The way to it; `*` is each item of a list, or each field of a map. Empty for the whole. */
  readonly pointer: readonly string[];
  readonly shape: Shape;
  /** The field that holds it, where it is one. */
  readonly property?: Property;
}

/** Every value in a shape, by way of what it refers to and is made of. A shape within itself is not gone into again. */
export function fieldsOf(api: Api, shape: Shape): readonly Field[] {
  const shapes = shapesOf(api);
  const found: Field[] = [];
  const visit = (field: Field, within: ReadonlySet<string>): void => {
    found.push(field);
    const { shape: here, pointer } = field;
    const named = here.ref === undefined || within.has(here.ref) ? undefined : shapes.get(here.ref);
    const inner = here.ref === undefined ? within : new Set([...within, here.ref]);
    const same = [
      ...(named === undefined ? [] : [named]),
      ...(here.allOf ?? []),
      ...(here.anyOf ?? []),
      ...(here.oneOf ?? []),
    ];
    for (const part of same) visit({ pointer, shape: part }, inner);
    const properties = here.properties ?? [];
    if (isMap(properties)) {
      const [first] = properties;
      if (first !== undefined) visit({ pointer: [...pointer, "*"], shape: first.shape, property: first }, inner);
    } else {
      for (const property of properties)
        visit({ pointer: [...pointer, property.name], shape: property.shape, property }, inner);
    }
    for (const part of [here.items, here.additionalProperties, ...(here.prefixItems ?? [])])
      if (part !== undefined) visit({ pointer: [...pointer, "*"], shape: part }, inner);
  };
  visit({ pointer: [], shape }, new Set());
  return found;
}

const shapesOf = once((api) => new Map(api.shapes.map((each) => [each.name, each.shape] as const)));

/** Many fields that are all the same are a map with known keys. */
function isMap(properties: readonly Property[]): boolean {
  const [first, ...others] = properties;
  const ref = first?.shape.ref;
  return others.length > 1 && ref !== undefined && others.every(({ shape }) => shape.ref === ref);
}
