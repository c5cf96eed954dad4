import {
  findJsonContent,
  memoize,
  ownValue,
  type Operation,
  type Resource,
  type Schema,
  schemaParts,
  inferResources,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { creatorsOf } from "./created-resources.js";

/** Where an object of a resource comes from: the operation that creates it, else the first item of a list. */
export type ObjectSource =
  | { readonly kind: "operation"; readonly operation: Operation }
  /** `items`: a JSON pointer to the items in the response. */
  | { readonly kind: "list"; readonly list: Operation; readonly items: string };

export function objectSource(context: ConformanceContext, resource: Resource): ObjectSource | undefined {
  const makers = creatorsOf(context.api, resource);
  const list = context.operations.get(resource.list ?? "");
  const operation =
    makers.find((each) => each.path === list?.path) ??
    makers[0] ??
    inferResources(context.api).creators.get(resource.name);
  if (operation !== undefined) return { kind: "operation", operation };
  const envelope = list?.pagination?.envelope.items;
  const items =
    envelope === undefined
      ? (inferResources(context.api).items.get(resource.name) ?? (list && itemsPointer(context, list, resource)))
      : `/${envelope}`;
  if (list === undefined || items === undefined || list.path.includes("{")) return undefined;
  return { kind: "list", list, items };
}

/** Whether the suite can create or list an object of a resource, and the objects in whose paths it is. */
export function hasObjectSource(context: ConformanceContext, name: string): boolean {
  const cached = context.objectSources.get(name);
  if (cached !== undefined) return cached;
  context.objectSources.set(name, true); // A resource within itself needs no other source.
  const hasSource = findsObject(context, name);
  context.objectSources.set(name, hasSource);
  return hasSource;
}

function findsObject(context: ConformanceContext, name: string): boolean {
  if (Object.hasOwn(context.settings.fixtures, name)) return true;
  const resource = context.resources.get(name);
  const source = resource && objectSource(context, resource);
  if (source?.kind !== "operation") return source !== undefined;
  const stated = ownValue(context.settings.operations, source.operation.name)?.path ?? {};
  return source.operation.parameters.every(
    ({ in: place, name: parameter, reference }) =>
      place !== "path" ||
      (reference === undefined ? Object.hasOwn(stated, parameter) : hasObjectSource(context, reference.to)),
  );
}

/** A JSON pointer to the array of a response whose items are objects of a resource. */
export function itemsPointer(
  { api }: ConformanceContext,
  list: Operation,
  { name }: Pick<Resource, "name">,
): string | undefined {
  const response = list.responses.find(({ status }) => status === 200);
  const schema = response && findJsonContent(response.contents)?.schema;
  if (schema === undefined) return undefined;
  const hasObjects = (each: Schema): boolean =>
    schemaParts(api, each).some(
      ({ items }) => items !== undefined && schemaParts(api, items).some(({ ref }) => ref === name),
    );
  if (hasObjects(schema)) return "";
  const fields = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  const field = fields.find((each) => hasObjects(each.schema));
  return field === undefined ? undefined : `/${field.name}`;
}

/** The resources of the parents that an object is created within. Undefined for an object that nothing creates. */
export function parentsOfObject(context: ConformanceContext, name: string): readonly string[] | undefined {
  const stated = Object.hasOwn(context.settings.fixtures, name) ? context.settings.fixtures[name] : undefined;
  if (stated !== undefined) {
    const inputs = JSON.stringify(stated).matchAll(/"of#\/([A-Z]\w*)/g);
    return [...new Set([...inputs].map(([, each = ""]) => each))];
  }
  const resource = context.resources.get(name);
  const source = resource && objectSource(context, resource);
  if (source === undefined) return undefined;
  if (source.kind === "list") return [];
  return source.operation.parameters.flatMap(({ in: place, reference }) =>
    place === "path" && reference !== undefined && /^[A-Z]/.test(reference.to) ? [reference.to] : [],
  );
}

/** True when the creation of an object deletes an earlier one with the same parent. */
export function replacesExisting({ api }: ConformanceContext, resource: string | undefined): boolean {
  return resource !== undefined && replacedResources(api).has(resource);
}

const replacedResources = memoize((api): ReadonlySet<string> => {
  const deletions = api.operations.flatMap(({ effects }) => {
    const created = new Set(effects.filter(({ does }) => does === "create").map(({ to }) => to));
    return effects.filter(({ does, to, except }) => does === "delete" && except !== undefined && created.has(to));
  });
  return new Set(deletions.flatMap(({ to }) => to ?? []));
});
