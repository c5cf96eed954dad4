import type { SpecNode } from "../../read/spec-node.js";

/** The names that workflows may refer to. */
export interface WorkflowNames {
  /** The operations of each description, by the URL under which workflow files refer to it. */
  readonly descriptions: ReadonlyMap<string, { readonly isControl: boolean; readonly operations: ReadonlySet<string> }>;
  readonly requirements: ReadonlySet<string>;
}

/** Returns the requirements in the `x-source` of a node. */
export function readWorkflowRequirements(place: SpecNode, known: ReadonlySet<string>): readonly string[] {
  return (place.get("x-source")?.items() ?? []).flatMap((each) => {
    const id = String(each.raw);
    if (known.has(id)) return [id];
    each.report("workflow/unknown", `There is no requirement "${id}".`, "Write an id of the requirements.");
    return [];
  });
}
