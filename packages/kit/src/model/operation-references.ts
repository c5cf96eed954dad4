import type { Api, Operation, Parameter, ResourceReference, Schema } from "./api.js";
import { findJsonContent } from "./media.js";
import { memoize } from "./memoize.js";
import { findTarget, singletonResources } from "./operation-targets.js";
import { collectFields, findField } from "./schemas/schema-fields.js";

/** A parameter that refers to a resource. */
export interface PathReference {
  readonly parameter: Parameter;
  readonly reference: ResourceReference;
}

/** A field of the body that refers to a resource. */
export interface BodyReference {
  readonly pointer: readonly string[];
  /** The name under which handlers receive the object: the fields that lead to the reference. */
  readonly name: string;
  readonly reference: ResourceReference;
}

/** The resources that an operation refers to, as far as they have to be loaded. */
export interface OperationReferences {
  readonly path: readonly PathReference[];
  readonly body: readonly BodyReference[];
  readonly target?: { readonly resource: string; readonly parameter?: string };
  readonly list?: string;
}

/** Collects the references of an operation. Resources that are created on demand, such as tags, are not loaded. */
export function collectReferences(api: Api, operation: Operation): OperationReferences {
  const isResource = ({ to, onNotFound }: ResourceReference): boolean =>
    onNotFound !== "create" && api.resources.some(({ name }) => name === to);
  const path = operation.parameters.flatMap((parameter) =>
    parameter.in === "path" && parameter.reference !== undefined && isResource(parameter.reference)
      ? [{ parameter, reference: parameter.reference }]
      : [],
  );
  const content = operation.requestBody === undefined ? undefined : findJsonContent(operation.requestBody.contents);
  const fields = content === undefined ? [] : collectFields(api, content.schema);
  const body = nameReferences(
    fields.flatMap(({ pointer, schema: { reference } }) =>
      reference !== undefined && isResource(reference) ? [{ pointer, reference }] : [],
    ),
  );
  const target = findTarget(api, operation);
  const isTargetNeeded = target?.parameter !== undefined || (target !== undefined && needsTarget(api, operation));
  const list = path.length > 0 ? undefined : api.resources.find((each) => each.list === operation.name);
  const isListed = list !== undefined && !list.owner.every((owner) => owner === "platform");
  return {
    path,
    body,
    ...(isTargetNeeded && target !== undefined ? { target } : {}),
    ...(isListed ? { list: list.name } : {}),
  };
}

/**
 * Gives each reference a unique name: its fields, or a longer path if that name is in use. Equal references of several
 * branches are merged.
 */
function nameReferences(references: readonly Omit<BodyReference, "name">[]): readonly BodyReference[] {
  const byName = new Map<string, BodyReference>();
  for (const { pointer, reference } of references) {
    const way = JSON.stringify(pointer);
    const names = [
      pointer.filter((token) => token !== "*").join("."),
      pointer.join("."),
      way,
      `${way} ${reference.to}`,
    ];
    const isSame = (other: BodyReference): boolean =>
      JSON.stringify(other.pointer) === way &&
      other.reference.to === reference.to &&
      other.reference.by === reference.by;
    const free = names.find((each) => !byName.has(each));
    if (free !== undefined && ![...byName.values()].some(isSame)) byName.set(free, { pointer, name: free, reference });
  }
  return [...byName.values()];
}

/** Returns every resource that has to be loaded: referenced resources, their parents, and singleton resources of callers. */
export const storedResources: (api: Api) => readonly StoredResource[] = memoize((api) => {
  const ids = new Map<string, Set<string>>();
  const owned = new Set<string>();
  const add = (resource: string, by: string): void => {
    const fields = ids.get(resource) ?? new Set();
    ids.set(resource, fields);
    if (fields.has(by)) return;
    fields.add(by);
    const parent = api.resources.find(({ name }) => name === resource)?.parent;
    if (parent !== undefined) add(parent, resourceKey(api, parent));
  };
  for (const operation of [...api.operations, ...api.operationsWithoutPath]) {
    const { path, body, target } = collectReferences(api, operation);
    for (const { reference } of [...path, ...body]) add(reference.to, reference.by ?? "id");
    if (target !== undefined && target.parameter === undefined && operation.path !== "") owned.add(target.resource);
  }
  return api.resources.flatMap(({ name }) => {
    const by = [...(ids.get(name) ?? [])];
    return by.length === 0 && !owned.has(name) ? [] : [{ name, by, isOwned: owned.has(name) }];
  });
});

/** The field that identifies the objects of a resource: `id`, or that by which paths refer to them if they have none. */
export function resourceKey(api: Api, resource: string): string {
  if (findIdSchema(api, resource, "id") !== undefined) return "id";
  return pathKeys(api).get(resource) ?? "id";
}

const pathKeys = memoize((api: Api): ReadonlyMap<string, string> => {
  const parameters = [...api.operations, ...api.operationsWithoutPath].flatMap((each) => each.parameters);
  const keys = parameters.flatMap(({ in: location, reference }) =>
    location === "path" && reference?.by !== undefined ? [[reference.to, reference.by] as const] : [],
  );
  return new Map(keys.toReversed());
});

export interface StoredResource {
  readonly name: string;
  /** The fields by which it is loaded. */
  readonly by: readonly string[];
  /** True if it is loaded as the only one of a caller. */
  readonly isOwned: boolean;
}

/** True if a rule of an operation depends on the stored object although its path has no id. */
function needsTarget(api: Api, operation: Operation): boolean {
  const { requestBody, name, grants, errors } = operation;
  if (operation.path === "") return true;
  if (!singletonResources(api).some(({ resource }) => resource === findTarget(api, operation)?.resource)) return false;
  const content = requestBody === undefined ? undefined : findJsonContent(requestBody.contents);
  const fields = content === undefined ? [] : collectFields(api, content.schema);
  const conditions = [
    ...grants.map(({ when }) => when),
    ...errors.map(({ when }) => when),
    ...fields.flatMap(({ schema }) => [...(schema.valueRules ?? []), ...(schema.errors ?? [])].map(({ when }) => when)),
  ];
  const isChecked = conditions.some((when) => when?.target !== undefined || when?.changes !== undefined);
  const isMoved = api.stateMachines.some(
    (stateMachine) =>
      stateMachine.resource === findTarget(api, operation)?.resource &&
      stateMachine.transitions.some(
        ({ event, from }) =>
          event.kind === "operation" && event.operation === name && from.length < stateMachine.states.length,
      ),
  );
  const isChange = operation.method === "PUT" || operation.method === "PATCH";
  return isChecked || isMoved || (isChange && requestBody !== undefined && requestBody.input.unchanged === "accept");
}

/** Returns the schema of the field that identifies a resource. */
export function findIdSchema(api: Api, resource: string, by: string): Schema | undefined {
  const schema = api.schemas.find(({ name }) => name === resource)?.schema;
  if (schema === undefined) return undefined;
  return findField(api, schema, [by]);
}
