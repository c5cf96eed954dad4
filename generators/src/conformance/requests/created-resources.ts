import {
  type Api,
  type Operation,
  type Parameter,
  type Resource,
  type Schema,
  findJsonContent,
  memoize,
  memoizeByKey,
  schemaParts,
  inferResources,
  trimTrailingSlash,
} from "@plumbline/kit/model";

export const operationsByName: (api: Api) => ReadonlyMap<string, Operation> = memoize(({ operations }) =>
  firstByKey(operations, ({ name }) => name),
);

export const resourcesByName: (api: Api) => ReadonlyMap<string, Resource> = memoize(({ resources }) =>
  firstByKey(resources, ({ name }) => name),
);

/** The resources that an operation lists, deletes, or ends. */
export interface ResourcesOfOperation {
  readonly list?: Resource | undefined;
  readonly deleted?: Resource | undefined;
  readonly ended?: Resource | undefined;
}

export function resourcesOfOperation(api: Api, { name }: Operation): ResourcesOfOperation {
  const { lists, deletions, ends } = resourceIndexes(api);
  return { list: lists.get(name), deleted: deletions.get(name), ended: ends.get(name) };
}

/** The resource whose objects an operation reads, by the name of the operation. */
export const readResources: (api: Api) => ReadonlyMap<string, Resource> = memoize(({ resources }) =>
  firstByKey(resources, ({ read }) => read),
);

const resourceIndexes = memoize((api) => ({
  lists: firstByKey(api.resources, ({ list }) => list),
  deletions: firstByKey(api.resources, (each) => each.delete),
  ends: firstByKey(api.resources, (each) => endOf(api, each)?.name),
}));

/** The operations whose path ends with an object of a resource, such as `/loans/{loanId}/return`, by the name of the resource. */
const operationsOnObjects = memoize((api) =>
  groupByKey(api.operations, (operation) => lastPathParameter(operation)?.reference?.to),
);

/** The resource that an operation creates, and its location in the response. */
export interface CreatedResource {
  readonly resource: Resource;
  /** A JSON pointer into the body: empty for the body itself. */
  readonly pointer: string;
}

/** The resource that a POST creates: its response, or a field of the response that can be deleted. */
export function createdResource(api: Api, operation: Operation): CreatedResource | undefined {
  if (operation.method !== "POST") return undefined;
  // Cached, since every case of an operation uses it.
  return createdResourceCache(api, operation, () => findCreatedResource(api, operation));
}

/** The operations that create objects of a resource, whole: in the body, not in one of its fields. */
export function creatorsOf(api: Api, resource: Resource): readonly Operation[] {
  return creators(api).get(resource) ?? [];
}

/** The operations that create objects of a resource, also in a field of the body. */
export function makersOf(api: Api, resource: Resource): readonly Operation[] {
  return makers(api).get(resource) ?? [];
}

const makers = memoize((api) => groupByKey(api.operations, (operation) => createdResource(api, operation)?.resource));

const creators = memoize((api) =>
  groupByKey(api.operations, (operation) => {
    const created = createdResource(api, operation);
    return created?.pointer === "" ? created.resource : undefined;
  }),
);

const createdResourceCache = memoizeByKey<Operation, CreatedResource | undefined>();

const inferredBy = memoize(
  (api) => new Map([...inferResources(api).creators].map(([path, { name }]) => [name, path] as const)),
);

function findCreatedResource(api: Api, operation: Operation): CreatedResource | undefined {
  const inferred = resourcesByName(api).get(inferredBy(api).get(operation.name) ?? "");
  if (inferred !== undefined) return inferred.delete === undefined ? undefined : { resource: inferred, pointer: "" };
  const [schema] = operation.responses
    .filter(({ status }) => status === 200 || status === 201)
    .flatMap((response) => findJsonContent(response.contents)?.schema ?? []);
  if (schema === undefined) return undefined;
  const created = placesOf(api, schema).flatMap(({ schema: each, pointer }): CreatedResource[] => {
    const [resource] = schemaParts(api, each).flatMap(({ ref }) => resourcesByName(api).get(ref ?? "") ?? []);
    const isCreated =
      resource !== undefined && (resource.delete !== undefined || isCollectionOf(api, resource, operation));
    return isCreated ? [{ resource, pointer }] : [];
  })[0];
  if (created === undefined) return undefined;
  // An action on an object responds with that object and creates nothing.
  const pathParameter = lastPathParameter(operation)?.reference?.to;
  const copies = /clone|copy|duplicate/i.test(operation.name);
  return pathParameter === created.resource.name && !copies ? undefined : created;
}

/**
 * True for `POST /loans` and `POST /books/{bookId}/loans` if `/loans/{loanId}` or `listLoans` has the objects: it creates them even if nothing
 * deletes them.
 */
function isCollectionOf(api: Api, { name, list }: Resource, { path }: Operation): boolean {
  const collection = trimTrailingSlash(path);
  if (trimTrailingSlash(operationsByName(api).get(list ?? "")?.path ?? "") === collection) return true;
  const segment = collection.slice(collection.lastIndexOf("/"));
  return (operationsOnObjects(api).get(name) ?? []).some((each) => {
    const pathParameter = lastPathParameter(each);
    return pathParameter !== undefined && each.path.includes(`${segment}/{${pathParameter.name}}`);
  });
}

/** The locations of a resource: a body, and its fields. */
function placesOf(api: Api, schema: Schema): readonly { readonly schema: Schema; readonly pointer: string }[] {
  const fields = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return [{ schema, pointer: "" }, ...fields.map((field) => ({ schema: field.schema, pointer: `/${field.name}` }))];
}

/**
 * The operation that ends what nothing deletes, such as the return of a loan: it leaves the initial state, needs no body, and its state is final.
 */
export function endOf(api: Api, resource: Resource): Operation | undefined {
  if (resource.delete !== undefined) return undefined;
  return endCache(api, resource, () => findEnd(api, resource));
}

const endCache = memoizeByKey<Resource, Operation | undefined>();

function findEnd(api: Api, { name }: Resource): Operation | undefined {
  const stateMachine = api.stateMachines.find((each) => each.resource === name);
  if (stateMachine === undefined) return undefined;
  const starts = new Set(stateMachine.initial.map(({ to }) => to));
  const moves = stateMachine.transitions.flatMap(({ event, subject, from, to }) => {
    if (event.kind !== "operation" || subject !== undefined || !from.some((each) => starts.has(each))) return [];
    const isFinal = !stateMachine.transitions.some((each) => each.event.kind === "operation" && each.from.includes(to));
    const operation = operationsByName(api).get(event.operation);
    const pathParameter = operation && lastPathParameter(operation)?.reference?.to;
    return operation === undefined || pathParameter !== name || operation.requestBody?.required === true || !isFinal
      ? []
      : [operation];
  });
  return moves[0];
}

function lastPathParameter({ parameters }: Operation): Parameter | undefined {
  return parameters.findLast((each) => each.in === "path");
}

function firstByKey<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<string, T> {
  const firsts = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined && !firsts.has(key)) firsts.set(key, item);
  }
  return firsts;
}

function groupByKey<T, Key>(items: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
