import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation, Parameter, Reference, Shape } from "../model/api.js";
import { fieldAt, fieldsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { singlesOf, targetOf } from "../model/targets.js";
import { ProblemError } from "../problem.js";

/** A parameter that names a resource. */
export interface PathReference {
  readonly parameter: Parameter;
  readonly reference: Reference;
}

/** A field of the body that names a resource. */
export interface BodyReference {
  readonly pointer: readonly string[];
  /** What a handler finds it under: the fields on the way to it. */
  readonly name: string;
  readonly reference: Reference;
}

/** What an operation names and is about, as far as somebody has to look it up. */
export interface Named {
  readonly path: readonly PathReference[];
  readonly body: readonly BodyReference[];
  readonly target?: { readonly resource: string; readonly parameter?: string };
  readonly list?: string;
}

/** What an operation names. What is made when it is missing, as tags are, is nobody's to find. */
export function namedBy(api: Api, operation: Operation): Named {
  const isResource = ({ to, missing }: Reference): boolean =>
    missing !== "create" && api.resources.some(({ name }) => name === to);
  const path = operation.parameters.flatMap((parameter) =>
    parameter.in === "path" && parameter.reference !== undefined && isResource(parameter.reference)
      ? [{ parameter, reference: parameter.reference }]
      : [],
  );
  const content = operation.body === undefined ? undefined : jsonContent(operation.body.contents);
  const fields = content === undefined ? [] : fieldsOf(api, content.shape);
  const body = withNames(
    fields.flatMap(({ pointer, shape: { reference } }) =>
      reference !== undefined && isResource(reference) ? [{ pointer, reference }] : [],
    ),
  );
  const target = targetOf(api, operation);
  const isTargetNeeded = target?.parameter !== undefined || (target !== undefined && asksForTarget(api, operation));
  const list = path.length > 0 ? undefined : api.resources.find((each) => each.list === operation.name);
  const isListed = list !== undefined && !list.owner.every((owner) => owner === "platform");
  return {
    path,
    body,
    ...(isTargetNeeded && target !== undefined ? { target } : {}),
    ...(isListed ? { list: list.name } : {}),
  };
}

/** Each with a name of its own: the fields on the way to it, and where that is another's, more of the way. What several branches say alike is one. */
function withNames(found: readonly Omit<BodyReference, "name">[]): readonly BodyReference[] {
  const named = new Map<string, BodyReference>();
  for (const { pointer, reference } of found) {
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
    const free = names.find((each) => !named.has(each));
    if (free !== undefined && ![...named.values()].some(isSame)) named.set(free, { pointer, name: free, reference });
  }
  return [...named.values()];
}

/** Every resource that has to be looked up: what is named, what that lies in, and what each caller has one of. */
export function storedResources(api: Api): readonly StoredResource[] {
  const ids = new Map<string, Set<string>>();
  const owned = new Set<string>();
  const add = (resource: string, by: string): void => {
    const fields = ids.get(resource) ?? new Set();
    ids.set(resource, fields);
    if (fields.has(by)) return;
    fields.add(by);
    const parent = api.resources.find(({ name }) => name === resource)?.parent;
    if (parent !== undefined) add(parent, "id");
  };
  for (const operation of [...api.operations, ...api.linked]) {
    const { path, body, target } = namedBy(api, operation);
    for (const { reference } of [...path, ...body]) add(reference.to, reference.by ?? "id");
    if (target !== undefined && target.parameter === undefined && operation.path !== "") owned.add(target.resource);
  }
  return api.resources.flatMap(({ name }) => {
    const by = [...(ids.get(name) ?? [])];
    return by.length === 0 && !owned.has(name) ? [] : [{ name, by, isOwned: owned.has(name) }];
  });
}

export interface StoredResource {
  readonly name: string;
  /** The fields by which it is asked for. */
  readonly by: readonly string[];
  /** True where it is asked for as the one that a caller has. */
  readonly isOwned: boolean;
}

/** The parameter within whose object a reference has to be. */
export function outerOf({ of }: Reference, operation: Operation, { locate }: ArtifactOptions): string | undefined {
  if (of === undefined) return undefined;
  const parameter = operation.parameters.find(({ in: place, name }) => place === "path" && name === of.name);
  if (of.root === "request" && of.part === "path" && parameter?.reference !== undefined) return of.name;
  throw new ProblemError([
    {
      code: "references/of",
      severity: "error",
      origin: locate(operation.origin),
      message: `${of.text} names no object that the path of ${operation.name} names.`,
      fix: "Write $request.path and a parameter that has an x-reference.",
    },
  ]);
}

/** True where a rule of an operation without an id in its path asks what is stored. */
function asksForTarget(api: Api, operation: Operation): boolean {
  const { body, name, grants, failures } = operation;
  if (operation.path === "") return true;
  if (!singlesOf(api).some(({ resource }) => resource === targetOf(api, operation)?.resource)) return false;
  const content = body === undefined ? undefined : jsonContent(body.contents);
  const fields = content === undefined ? [] : fieldsOf(api, content.shape);
  const conditions = [
    ...grants.map(({ when }) => when),
    ...failures.map(({ when }) => when),
    ...fields.flatMap(({ shape }) => [...(shape.values ?? []), ...(shape.failures ?? [])].map(({ when }) => when)),
  ];
  const isJudged = conditions.some((when) => when?.target !== undefined || when?.changes !== undefined);
  const isMoved = api.machines.some(
    (machine) =>
      machine.resource === targetOf(api, operation)?.resource &&
      machine.transitions.some(
        ({ by, from }) => by.kind === "operation" && by.operation === name && from.length < machine.states.length,
      ),
  );
  const isChange = operation.method === "PUT" || operation.method === "PATCH";
  return isJudged || isMoved || (isChange && body !== undefined && body.input.unchanged === "accept");
}

/** The shape of what names a resource. */
export function idShapeOf(api: Api, resource: string, by: string): Shape | undefined {
  const shape = api.shapes.find(({ name }) => name === resource)?.shape;
  if (shape === undefined) return undefined;
  return fieldAt(api, shape, [by]);
}
