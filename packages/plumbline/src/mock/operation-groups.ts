import {
  type Api,
  inferResources,
  type Operation,
  schemasByName,
  type Schema,
  visitSubschemas,
} from "@plumbline/kit/model";

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
    api: () => restrictApi(api, operations),
  }));
}

/** The collection of the outermost resource of a path; the path itself if it has none. */
function rootOf({ resources }: Api, { path }: Operation): string {
  const roots = resources
    .map(({ name }) => name.slice(0, name.lastIndexOf("/")))
    .filter((collection) => `${path}/`.startsWith(`${collection}/`));
  return roots.toSorted((a, b) => a.length - b.length)[0] ?? path;
}

/** A model with some operations, and the schemas that they refer to. */
function restrictApi(api: Api, operations: readonly Operation[]): Api {
  const names = new Set<string>();
  const collect = (schema: Schema): void =>
    visitSubschemas(schema, ({ ref, discriminator }) => {
      for (const name of [ref, ...(discriminator?.mapping.map((each) => each.schema) ?? [])])
        if (name !== undefined) names.add(name);
    });
  for (const { parameters, requestBody, responses } of operations) {
    for (const { schema } of parameters) collect(schema);
    if (requestBody?.input.merged !== undefined) names.add(requestBody.input.merged);
    for (const { contents } of [...(requestBody === undefined ? [] : [requestBody]), ...responses])
      for (const { schema, itemSchema } of contents) [schema, itemSchema].forEach((each) => each && collect(each));
    for (const { schema } of responses.flatMap(({ headers }) => headers)) collect(schema);
  }
  const schemas = schemasByName(api);
  const sources = new Map(api.schemas.flatMap(({ name, variantOf }) => (variantOf ? [[name, variantOf.name]] : [])));
  // A set visits what is added during the visit.
  for (const name of names) {
    const schema = schemas.get(name);
    if (schema !== undefined) collect(schema);
    const source = sources.get(name);
    if (source !== undefined) names.add(source);
  }
  return { ...api, operations, schemas: api.schemas.filter(({ name }) => names.has(name)) };
}
