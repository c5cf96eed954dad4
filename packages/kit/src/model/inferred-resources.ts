import type { Api, Operation, Parameter, Resource, Schema } from "./api.js";
import { findJsonContent } from "./media.js";
import { memoize } from "./memoize.js";
import { schemaParts } from "./schemas/schema-fields.js";
import { trimTrailingSlash } from "./server-path.js";

/** Resources that were inferred from the paths of a description without extensions. */
export interface InferredApi {
  readonly api: Api;
  /** The operation that creates a resource, by the resource's name. */
  readonly creators: ReadonlyMap<string, Operation>;
  /** A JSON pointer to the items in the list of a resource. Empty for the body itself. */
  readonly items: ReadonlyMap<string, string>;
}

/**
 * The description with inferred references of path parameters: `{petId}` of `/pets/{petId}` references what `POST /pets` creates or `GET
 * /pets` lists, or what `POST /shops/{shopId}/pets` creates. A slash at the end of a path is no difference: `/pets/` is the collection as well.
 */
export function inferResources(api: Api): InferredApi {
  const original = originals.get(api) ?? api;
  const inferred = inferredOnce(original);
  originals.set(inferred.api, original); // idempotent: an inferred description is returned unchanged
  return inferred;
}

const originals = new WeakMap<Api, Api>();

const inferredOnce = memoize(inferApi);

interface Item {
  readonly resource: Resource;
  readonly parameter: string;
  readonly by: string;
}

function inferApi(api: Api): InferredApi {
  const at = new Map(api.operations.map((each) => [`${each.method} ${trimTrailingSlash(each.path)}`, each] as const));
  const creates = new Map<string, Operation>();
  const items = new Map<string, string>();
  const itemsByPath = new Map<string, Item | undefined>();
  const itemAt = (path: string, parameter: Parameter): Item | undefined => {
    if (itemsByPath.has(path)) return itemsByPath.get(path);
    const collection = path.slice(0, path.lastIndexOf("/"));
    const read = at.get(`GET ${path}`);
    const create = at.get(`POST ${collection}`) ?? nestedCreate(api, { path, collection, read }, parameter.name);
    const list = at.get(`GET ${collection}`);
    const created = create && createdIn(api, create, parameter.name);
    const listed = list && listedIn(api, list, parameter.name);
    const by = created?.by ?? listed?.by;
    const remove = at.get(`DELETE ${path}`);
    const item =
      by === undefined
        ? undefined
        : {
            parameter: parameter.name,
            by,
            resource: {
              name: path,
              owner: [],
              ...(list === undefined ? {} : { list: list.name }),
              ...(read === undefined ? {} : { read: read.name }),
              ...(remove === undefined ? {} : { delete: remove.name }),
              sources: [],
              origin: parameter.origin,
            },
          };
    if (created !== undefined && create !== undefined) creates.set(path, create);
    if (listed !== undefined) items.set(path, listed.items);
    itemsByPath.set(path, item);
    return item;
  };
  const operations = api.operations.map((operation) => {
    const parameters = operation.parameters.map((parameter) => {
      if (parameter.in !== "path" || parameter.reference !== undefined) return parameter;
      const end = operation.path.indexOf(`{${parameter.name}}`);
      const path = operation.path.slice(0, end + parameter.name.length + 2);
      const item = path.endsWith(`/{${parameter.name}}`) ? itemAt(path, parameter) : undefined;
      return item === undefined ? parameter : { ...parameter, reference: { to: item.resource.name, by: item.by } };
    });
    return { ...operation, parameters };
  });
  const resources = [...itemsByPath.values()].flatMap((item) => item?.resource ?? []);
  const inferred = resources.length === 0 ? api : { ...api, operations, resources: [...api.resources, ...resources] };
  const byName = new Map(operations.map((each) => [each.name, each] as const));
  const creators = new Map([...creates].map(([path, create]) => [path, byName.get(create.name) ?? create] as const));
  return { api: inferred, creators, items };
}

interface ItemPath {
  /** `/tasks/{taskId}` */
  readonly path: string;
  /** `/tasks` */
  readonly collection: string;
  readonly read: Operation | undefined;
}

/**
 * The operation that creates, within a parent, what a path without the parent reads: `POST /projects/{projectId}/tasks` for `/tasks/{taskId}`.
 * Both have the same schema, or else the same last segment and nothing else reads what the operation creates.
 */
function nestedCreate(api: Api, { path, collection, read }: ItemPath, parameter: string): Operation | undefined {
  const segment = collection.slice(collection.lastIndexOf("/"));
  const candidates = api.operations.filter(
    (each) =>
      each.method === "POST" &&
      !`${each.path}/`.startsWith(`${path}/`) &&
      each.responses.some(({ status }) => status === 201) &&
      createdIn(api, each, parameter) !== undefined,
  );
  const alike = candidates.filter((each) => each.path.endsWith(segment));
  const schema = read && successShape(read)?.ref;
  const isSame = (each: Operation): boolean => schema !== undefined && successShape(each)?.ref === schema;
  const isReadBelow = (each: Operation): boolean =>
    api.operations.some((other) => other.path.startsWith(`${each.path}/{`));
  return alike.find(isSame) ?? candidates.find(isSame) ?? alike.find((each) => !isReadBelow(each));
}

function createdIn(api: Api, create: Operation, parameter: string): { readonly by: string } | undefined {
  const schema = successShape(create);
  const by = schema && idField(api, schema, parameter);
  return by === undefined ? undefined : { by };
}

function listedIn(
  api: Api,
  list: Operation,
  parameter: string,
): { readonly by: string; readonly items: string } | undefined {
  const schema = successShape(list);
  if (schema === undefined) return undefined;
  const parts = schemaParts(api, schema);
  const whole = { at: "", items: parts.find((part) => part.items !== undefined)?.items };
  const within = parts
    .flatMap((part) => part.properties ?? [])
    .map((property) => ({
      at: `/${property.name}`,
      items: schemaParts(api, property.schema).find((part) => part.items !== undefined)?.items,
    }));
  for (const { at, items } of [whole, ...within]) {
    const by = items && idField(api, items, parameter);
    if (by !== undefined) return { by, items: at };
  }
  return undefined;
}

/** The field that identifies an object in a path: the parameter's name, or `id`. */
function idField(api: Api, schema: Schema, parameter: string): string | undefined {
  const names = schemaParts(api, schema).flatMap((part) => (part.properties ?? []).map(({ name }) => name));
  const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  const [, last = ""] = /(id|name|key|slug|code|number)$/i.exec(parameter) ?? [];
  return (
    names.find((name) => plain(name) === plain(parameter)) ??
    names.find((name) => name === "id") ??
    names.find((name) => last !== "" && plain(name) === last.toLowerCase())
  );
}

function successShape(operation: Operation): Schema | undefined {
  return operation.responses
    .filter(({ status }) => status === 200 || status === 201)
    .flatMap((response) => findJsonContent(response.contents)?.schema ?? [])[0];
}
