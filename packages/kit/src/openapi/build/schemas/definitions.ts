import type { SpecNode } from "../../read/spec-node.js";

/** Returns the schema that a reference leads to. References under the same name are followed to the definition. */
export function findDefinition(place: SpecNode): SpecNode | undefined {
  let here = place.target();
  for (let steps = 0; here?.reference !== undefined && steps < 100; steps += 1) {
    const next = here.target();
    if (next === undefined || next.name !== here.name) return here;
    here = next;
  }
  return here;
}
