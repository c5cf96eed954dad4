import { type Api, memoize, type Operation, type Schema, trimTrailingSlash } from "@plumbline/kit/model";

/** Finds an operation by its name, also one without a path. */
export function findOperation(api: Api, name: string): Operation | undefined {
  return operationsByName(api).get(name);
}

const operationsByName = memoize(
  (api): ReadonlyMap<string, Operation> =>
    new Map([...api.operations, ...api.operationsWithoutPath].map((each) => [each.name, each] as const)),
);

/** True for the name of a resource. */
export function isResource(api: Api, name: string | undefined): boolean {
  return name !== undefined && resourceNames(api).has(name);
}

const resourceNames = memoize((api): ReadonlySet<string> => new Set(api.resources.map(({ name }) => name)));

/** The operations at a path, with or without a slash at its end. */
export function operationsAt(api: Api, path: string): readonly Operation[] {
  return operationsByPath(api).get(trimTrailingSlash(path)) ?? [];
}

const operationsByPath = memoize((api): ReadonlyMap<string, readonly Operation[]> => {
  const all = new Map<string, Operation[]>();
  for (const operation of api.operations) {
    const path = trimTrailingSlash(operation.path);
    const others = all.get(path);
    if (others === undefined) all.set(path, [operation]);
    else others.push(operation);
  }
  return all;
});

/** True for the operation that lists a resource. */
export function isListOf(api: Api, operation: string): boolean {
  return listNames(api).has(operation);
}

const listNames = memoize((api): ReadonlySet<string> => new Set(api.resources.flatMap(({ list }) => list ?? [])));

/** The resources whose state machines begin with an operation. */
export function resourcesBegunBy(api: Api, operation: string): ReadonlySet<string> {
  return begunResources(api).get(operation) ?? new Set();
}

const begunResources = memoize((api): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>();
  for (const { initial, resource } of api.stateMachines)
    for (const { event } of initial)
      if (event.kind === "operation") all.set(event.operation, (all.get(event.operation) ?? new Set()).add(resource));
  return all;
});

/** The name of a schema. Undefined for one without a name. */
export function schemaName(api: Api, schema: Schema): string | undefined {
  return namesOfSchemas(api).get(schema);
}

const namesOfSchemas = memoize(
  (api): ReadonlyMap<Schema, string> => new Map(api.schemas.map(({ name, schema }) => [schema, name] as const)),
);
