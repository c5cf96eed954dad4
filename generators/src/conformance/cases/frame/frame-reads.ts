import type { EmbeddedObjects, FrameRead } from "@plumbline/conformance-runtime";
import {
  callersOf,
  findJsonContent,
  inferResources,
  memoize,
  type Operation,
  type Resource,
  type Schema,
  schemaParts,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { readResources, resourcesOfOperation } from "../../requests/created-resources.js";
import { pathReferences } from "../../requests/object-chains.js";
import { itemsPointer } from "../../requests/object-sources.js";
import { hasKnownPath } from "../../requests/request-plan.js";
import { escapePointerToken } from "../../values/pointer-token.js";

/** The reads that show what is there, outermost objects first. A read that repeats what a list shows is left out. */
export function frameReads(context: ConformanceContext): readonly FrameRead[] {
  const reads = context.api.operations.flatMap((operation) => frameRead(context, operation) ?? []);
  const embedded = new Set(reads.flatMap((read) => (read.embedded ?? []).map(({ resource }) => resource)));
  const isShown = ({ resource, list, path }: FrameRead): boolean =>
    list === undefined &&
    resource !== undefined &&
    embedded.has(resource) &&
    Object.values(path).at(-1)?.resource === resource;
  return reads
    .filter((read) => !isShown(read))
    .toSorted((a, b) => Object.keys(a.path).length - Object.keys(b.path).length);
}

function frameRead(context: ConformanceContext, operation: Operation): FrameRead | undefined {
  const { name, method, parameters } = operation;
  const schema = bodyOf(operation);
  const needsMore = parameters.some(({ in: place, required }) => place !== "path" && required);
  if (method !== "GET" || operation.path === "" || schema === undefined || needsMore) return undefined;
  if (operation.effects.length > 0 || !hasKnownPath(context, operation)) return undefined;
  const path = Object.fromEntries(
    pathReferences(operation).map(
      (each) => [each.name, { resource: each.reference.to, by: each.reference.by ?? "id" }] as const,
    ),
  );
  if (Object.keys(path).length < parameters.filter((each) => each.in === "path").length) return undefined;
  const listed = resourcesOfOperation(context.api, operation).list;
  const items = listed === undefined ? [] : listItems(context, operation, listed);
  if (listed !== undefined && items.length > 0) {
    const embedded = embeddedObjects(context, listed);
    return {
      call: name,
      resource: listed.name,
      owner: ownerOf(context, listed),
      path,
      list: { items, by: identifyingField(context, listed) },
      ...largePages(operation),
      ...(embedded.length === 0 ? {} : { embedded }),
    };
  }
  const read = readResources(context.api).get(name);
  if (read !== undefined && listed === undefined && isShownByList(context, read, schema)) return undefined;
  const isOwn = read !== undefined && schemaParts(context.api, schema).some(({ ref }) => ref === read.name);
  if (!isOwn && hasObjects(context, schema, 0)) return undefined;
  const embedded = read === undefined ? [] : embeddedObjects(context, read);
  return {
    call: name,
    ...(read === undefined ? {} : { resource: read.name }),
    owner: read === undefined ? ownerOfPath(context, operation) : ownerOf(context, read),
    path,
    ...(embedded.length === 0 ? {} : { embedded }),
  };
}

/** The largest page that the list allows. */
function largePages({ pagination, parameters }: Operation): Pick<FrameRead, "query"> {
  const size = parameters.find(({ name }) => name === pagination?.size);
  return size?.schema.maximum === undefined ? {} : { query: { [size.name]: size.schema.maximum } };
}

function bodyOf({ responses }: Operation): Schema | undefined {
  const response = responses.find(({ status }) => status === 200);
  return response && findJsonContent(response.contents)?.schema;
}

function listItems(context: ConformanceContext, operation: Operation, { name }: Resource): readonly string[] {
  const envelope = operation.pagination?.envelope.items;
  if (envelope !== undefined) return [`/${envelope}`];
  const inferred = inferResources(context.api).items.get(name);
  const schema = bodyOf(operation);
  return inferred === undefined && schema !== undefined
    ? objectPointers(context, { schema, name, at: "" })
    : [inferred ?? ""];
}

/** The locations of objects of a resource, and of lists of them. */
function objectPointers(
  context: ConformanceContext,
  { schema, name, at }: { readonly schema: Schema; readonly name: string; readonly at: string },
): readonly string[] {
  if (at.split("/").length > maxDepth) return [];
  const parts = schemaParts(context.api, schema);
  const isOwn = (each: Schema): boolean => schemaParts(context.api, each).some(({ ref }) => ref === name);
  if (isOwn(schema) || parts.some(({ items }) => items !== undefined && isOwn(items))) return [at];
  return parts
    .flatMap(({ properties = [] }) => properties)
    .flatMap((each) =>
      objectPointers(context, { schema: each.schema, name, at: `${at}/${escapePointerToken(each.name)}` }),
    );
}

/** The field by which paths name an object. */
export function identifyingField({ api }: ConformanceContext, { name }: Pick<Resource, "name">): string {
  return identifyingFields(api).get(name) ?? "id";
}

/** The fields by which the first parameter of a path names each resource. */
const identifyingFields = memoize((api) => {
  const references = api.operations.flatMap(pathReferences).map(({ reference }) => reference);
  return new Map(references.toReversed().map(({ to, by = "id" }) => [to, by] as const));
});

/** True for a read whose schema is that of the items of the list. */
function isShownByList(context: ConformanceContext, { list, name }: Resource, schema: Schema): boolean {
  const operation = context.operations.get(list ?? "");
  const page = operation && bodyOf(operation);
  if (operation === undefined || page === undefined || operation.method !== "GET") return false;
  const isOwn = schemaParts(context.api, schema).some(({ ref }) => ref === name);
  return isOwn && itemsPointer(context, operation, { name }) !== undefined;
}

/** The fields of a resource that have lists of other resources. */
function embeddedObjects(context: ConformanceContext, { name }: Resource): readonly EmbeddedObjects[] {
  const schema = context.schemas.get(name);
  if (schema === undefined) return [];
  const properties = schemaParts(context.api, schema).flatMap((part) => part.properties ?? []);
  return properties.flatMap((property) => {
    const inner = schemaParts(context.api, property.schema).flatMap(({ items }) => items ?? []);
    const [resource] = inner
      .flatMap((each) => schemaParts(context.api, each))
      .flatMap(({ ref }) => context.resources.get(ref ?? "") ?? []);
    return resource === undefined
      ? []
      : [{ field: property.name, resource: resource.name, by: identifyingField(context, resource) }];
  });
}

/** How deep a schema is searched for objects of resources. */
const maxDepth = 4;

/** True for a view of objects that other reads show. */
function hasObjects(context: ConformanceContext, schema: Schema, depth: number): boolean {
  if (depth > maxDepth) return false;
  return schemaParts(context.api, schema).some(
    ({ ref, items, properties = [] }) =>
      context.resources.has(ref ?? "") ||
      (items !== undefined && hasObjects(context, items, depth + 1)) ||
      properties.some((each) => hasObjects(context, each.schema, depth + 1)),
  );
}

/** Who sees other objects of the resource than others do. */
export function ownerOf(context: ConformanceContext, resource: Resource): FrameRead["owner"] {
  const { owner, parent } = resource;
  if (owner.includes("user") || owner.includes("client")) return "user";
  if (owner.includes(callersOf(context.api).tenant ?? "account")) return "account";
  const outer = context.resources.get(parent ?? "");
  if (owner.length > 0) return "platform";
  return outer === undefined ? "account" : ownerOf(context, outer);
}

function ownerOfPath(context: ConformanceContext, operation: Operation): FrameRead["owner"] {
  const outer = context.resources.get(pathReferences(operation).at(-1)?.reference.to ?? "");
  return outer === undefined ? "user" : ownerOf(context, outer);
}
