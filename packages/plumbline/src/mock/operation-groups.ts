import { type Api, includeOperations, inferResources, type Operation } from "@plumbline/kit/model";

/** Operations that share state, with what they need of the model. */
export interface OperationGroup {
  readonly operations: readonly Operation[];
  /** The names of their inferred resources. */
  readonly resources: readonly string[];
  /** Returns the model of these operations alone. */
  readonly api: () => Api;
}

/**
 * Splits a description without extension fields into groups of operations that share resources, so that each can be generated when its first
 * request arrives. Other descriptions are one group: effects and state machines connect any operations.
 */
export function groupOperations(api: Api): readonly OperationGroup[] {
  if (api.resources.length + api.stateMachines.length + api.operationsWithoutPath.length > 0)
    return [{ operations: api.operations, resources: api.resources.map(({ name }) => name), api: () => api }];
  const inferred = inferResources(api).api;
  const groups = new Map<string, { readonly operations: Operation[]; readonly resources: Set<string> }>();
  for (const [index, operation] of inferred.operations.entries()) {
    const original = api.operations[index] ?? operation;
    const root = rootOf(inferred, operation);
    const group = groups.get(root) ?? { operations: [], resources: new Set() };
    group.operations.push(original);
    for (const { reference } of operation.parameters) if (reference !== undefined) group.resources.add(reference.to);
    groups.set(root, group);
  }
  return [...groups.values()].map(({ operations, resources }) => ({
    operations,
    resources: [...resources],
    api: () => includeOperations(api, operations),
  }));
}

/** The collection of the outermost resource of a path; the path itself if it has none. */
function rootOf({ resources }: Api, { path }: Operation): string {
  const roots = resources
    .map(({ name }) => name.slice(0, name.lastIndexOf("/")))
    .filter((collection) => `${path}/`.startsWith(`${collection}/`));
  return roots.toSorted((a, b) => a.length - b.length)[0] ?? path;
}
