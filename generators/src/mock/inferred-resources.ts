import {
  type Api,
  findJsonContent,
  type InferredApi,
  inferResources,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  type Resource,
  type Schema,
  schemaParts,
  trimTrailingSlash,
} from "@plumbline/kit/model";
import { successSchema } from "./expressions.js";
import { findOperation, isResource, operationsAt } from "./lookups.js";
import { propertiesOf } from "./samples.js";
import { schemaComparison } from "./schema-comparison.js";

/**
 * The model of a description without resources, with those that its paths imply: `/pets/{petId}` is what `POST /pets` creates or `GET /pets`
 * lists. Their schemas have their names, and responses refer to these. A description with resources of its own is returned unchanged.
 */
export function withInferredResources(api: Api): Api {
  if (api.resources.length > 0) return api;
  const inferred = inferResources({ ...api, operations: api.operations.map((each) => withWrittenResponse(api, each)) });
  if (inferred.api.resources.length === 0) return api;
  const items = inferred.api.resources.map((resource) => itemOf(inferred, resource));
  const schemas = items.map(({ resource, schema }) => ({ name: resource.name, schema }));
  return {
    ...inferred.api,
    schemas: [...inferred.api.schemas, ...schemas],
    resources: items.map(({ resource }) => resource),
    operations: inferred.api.operations.map((operation, index) =>
      withItemResponses(
        inferred,
        { ...operation, responses: api.operations[index]?.responses ?? operation.responses },
        items,
      ),
    ),
  };
}

/**
 * A creation that documents no body of success, as if it responded with what it was sent, where that has the schema of what is read below:
 * `POST /pets` with the `Pet` of `GET /pets/{petId}`.
 */
function withWrittenResponse(api: Api, operation: Operation): Operation {
  const { method, path, requestBody, responses } = operation;
  const sent = findJsonContent(requestBody?.contents ?? []);
  if (method !== "POST" || sent === undefined || successSchema(operation) !== undefined) return operation;
  const isSame = schemaComparison(api);
  const read = api.operations.find((each) => each.method === "GET" && isItemPath(each.path, path));
  const schema = read && successSchema(read);
  if (read === undefined || schema === undefined || !isSame(sent.schema, schema)) return operation;
  const written = read.responses.filter(({ status }) => String(status).startsWith("2")).slice(0, 1);
  return { ...operation, responses: [...written.map((each) => ({ ...each, status: 200 as const })), ...responses] };
}

function isItemPath(path: string, collection: string): boolean {
  const item = trimTrailingSlash(path);
  const base = trimTrailingSlash(collection);
  return item.startsWith(`${base}/{`) && collectionPath(item) === base;
}

/** The inferred resource whose objects a request body states, for an operation at the path of its collection that responds without one. */
export function writtenResource(api: Api, operation: Operation): string | undefined {
  const sent = findJsonContent(operation.requestBody?.contents ?? []);
  if (sent === undefined || successSchema(operation) !== undefined) return undefined;
  const isSame = schemaComparison(api);
  const resource = api.resources.find(({ name }) => isInferredResource(name) && isItemPath(name, operation.path));
  const stored = resource && api.schemas.find(({ name }) => name === resource.name)?.schema;
  return stored?.allOf?.some((each) => isSame(sent.schema, each)) === true ? resource?.name : undefined;
}

/** Whether a resource is inferred: it has the name of its path. */
export function isInferredResource(name: string): boolean {
  return name.startsWith("/");
}

/** Whether an operation creates what its path names, if that does not exist: `PUT /files/{name}`. */
export function createsMissing(api: Api, { method, path, responses }: Operation): boolean {
  const item = trimTrailingSlash(path);
  if (method !== "PUT" || !isResource(api, item) || !isInferredResource(item)) return false;
  const isPosted = operationsAt(api, collectionPath(item)).some((each) => each.method === "POST");
  return !isPosted || responses.some(({ status }) => status === 201);
}

/**
 * Whether an operation finds whatever its path names: nothing creates or lists such objects, and the description documents no response for a
 * missing one.
 */
export function findsAnything(api: Api, { responses }: Operation, name: string): boolean {
  const resource = api.resources.find((each) => each.name === name);
  if (resource === undefined || !isInferredResource(name) || resource.list !== undefined) return false;
  const isPosted = operationsAt(api, collectionPath(name)).some((each) => each.method === "POST");
  return !isPosted && !responses.some(({ status }) => [404, 410, "4XX", "default"].includes(status));
}

interface InferredItem {
  readonly resource: Resource;
  readonly collection: string;
  /** The schemas of the object in the responses that create, list and read it. */
  readonly schema: Schema;
  /** The named schemas among them. */
  readonly names: ReadonlySet<string>;
  /** The field that identifies it. */
  readonly by: string;
  /** A JSON pointer to the items of its list. */
  readonly items: string | undefined;
}

function itemOf({ api, creators, items }: InferredApi, resource: Resource): InferredItem {
  const at = (name: string | undefined): Schema | undefined => {
    const operation = name === undefined ? undefined : findOperation(api, name);
    return operation && successSchema(operation);
  };
  const by = referenceField(api, resource.name);
  const listed = at(resource.list);
  const pointer = items.get(resource.name);
  const candidates = [
    at(resource.read),
    at(creators.get(resource.name)?.name),
    listed !== undefined && pointer !== undefined ? itemSchema(api, listed, pointer) : undefined,
  ].flatMap((schema) => (schema !== undefined && hasField(api, schema, by) ? [schema] : []));
  const names = candidates.map(({ ref }) => ref);
  const distinct = candidates.filter(({ ref }, index) => ref === undefined || names.indexOf(ref) === index);
  return {
    resource: { ...resource, ...parentOf(api, resource) },
    collection: collectionPath(resource.name),
    schema: { types: [], allOf: distinct, origin: resource.origin },
    names: new Set(names.flatMap((name) => name ?? [])),
    by,
    items: pointer,
  };
}

function collectionPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function referenceField(api: Api, resource: string): string {
  const references = api.operations.flatMap(({ parameters }) => parameters.flatMap(({ reference }) => reference ?? []));
  return references.find(({ to }) => to === resource)?.by ?? "id";
}

/** The nearest resource whose path is above. */
function parentOf(api: Api, { name }: Resource): Pick<Resource, "parent"> {
  const above = api.resources.filter((each) => name.startsWith(`${each.name}/`));
  const parent = above.toSorted((a, b) => b.name.length - a.name.length)[0]?.name;
  return parent === undefined ? {} : { parent };
}

function hasField(api: Api, schema: Schema, field: string): boolean {
  return propertiesOf(schemaParts(api, schema)).some(({ name }) => name === field);
}

function itemSchema(api: Api, list: Schema, pointer: string): Schema | undefined {
  const parts = schemaParts(api, list);
  const holders =
    pointer === ""
      ? parts
      : propertiesOf(parts).flatMap(({ name, schema }) => (`/${name}` === pointer ? schemaParts(api, schema) : []));
  return holders.find((part) => part.items !== undefined)?.items;
}

function withItemResponses({ api }: InferredApi, operation: Operation, items: readonly InferredItem[]): Operation {
  const listing = items.find((item) => item.resource.list === operation.name && item.items !== undefined);
  const near = items.filter(({ collection }) => `${operation.path}/`.startsWith(`${collection}/`));
  const nearest = near.toSorted((a, b) => b.collection.length - a.collection.length);
  const changed = (response: OperationResponse, content: MediaTypeObject): Schema => {
    const { schema } = content;
    if (listing?.items !== undefined) return listSchema(api, schema, { ...listing, items: listing.items });
    const ownItem = nearest.find((item) => isItemResponse(api, { operation, response, schema }, item));
    if (ownItem !== undefined) return referenceTo(ownItem);
    const other = operation.method === "GET" ? nearest.find((item) => isListOf(api, schema, item)) : undefined;
    return other === undefined ? schema : listSchema(api, schema, { ...other, items: "" });
  };
  const responses = operation.responses.map((response) => {
    const json = String(response.status).startsWith("2") ? findJsonContent(response.contents) : undefined;
    if (json === undefined) return response;
    const contents = response.contents.map((each) =>
      each === json ? { ...each, schema: changed(response, json) } : each,
    );
    return { ...response, contents };
  });
  return { ...operation, responses };
}

/** Whether a response is the object of a resource, and of no other request's path. */
function isItemResponse(
  api: Api,
  {
    operation,
    response: { status },
    schema,
  }: {
    readonly operation: Operation;
    readonly response: OperationResponse;
    readonly schema: Schema;
  },
  { resource, collection, names, by }: InferredItem,
): boolean {
  const path = trimTrailingSlash(operation.path);
  if (path === resource.name) return hasField(api, schema, by);
  if (path === collection) return operation.method === "POST" && hasField(api, schema, by);
  const isBelow = path.startsWith(`${resource.name}/`);
  return isBelow && status !== 201 && schema.ref !== undefined && names.has(schema.ref);
}

/** Whether a list in another path, such as `/pets/search`, has the items of a resource. */
function isListOf(api: Api, schema: Schema, { names }: InferredItem): boolean {
  const ref = schemaParts(api, schema).find((part) => part.items !== undefined)?.items?.ref;
  return ref !== undefined && names.has(ref);
}

function referenceTo({ resource: { name, origin } }: Pick<InferredItem, "resource">): Schema {
  return { ref: name, types: [], origin };
}

function listSchema(
  api: Api,
  schema: Schema,
  item: Pick<InferredItem, "resource"> & { readonly items: string },
): Schema {
  const list = (from: Schema): Schema => {
    const { minItems } = schemaParts(api, from).find((part) => part.items !== undefined) ?? from;
    return {
      types: ["array"],
      items: referenceTo(item),
      ...(minItems === undefined ? {} : { minItems }),
      origin: from.origin,
    };
  };
  if (item.items === "") return list(schema);
  const parts = schemaParts(api, schema);
  const properties = propertiesOf(parts).map((property) =>
    `/${property.name}` === item.items ? { ...property, schema: list(property.schema) } : property,
  );
  const required = parts.flatMap((part) => part.required ?? []);
  return { types: ["object"], properties, ...(required.length === 0 ? {} : { required }), origin: schema.origin };
}
