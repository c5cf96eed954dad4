import type { Api, Operation, Resource } from "./api.js";
import { pickDefined } from "./json-values.js";

/**
 * Returns a model with some of the operations, and with the tags, resources, state machines and schemas that these use.
 *
 * Webhooks and callbacks are left out. State machines keep the transitions of operations that are left out, since others may call these.
 *
 * @param api - The complete model.
 * @param operations - Operations of the model, with or without a path.
 * @returns The model without the other operations, in the order of the complete one.
 */
export function includeOperations(api: Api, operations: readonly Operation[]): Api {
  const included = new Set(operations);
  const operationNames = new Set(operations.map(({ name }) => name));
  const isIncluded = (name: string | undefined): boolean => name !== undefined && operationNames.has(name);
  const restrict = (all: readonly Operation[]): readonly Operation[] =>
    all.filter((each) => included.has(each)).map((each) => withoutReplacement(each, isIncluded));
  const names = usedNames(api, operations);
  const uses = (name: string): boolean => names.has(name);
  const tags = new Set(operations.map(({ tag }) => tag));
  // A set visits what is added during the visit.
  for (const tag of tags) tags.add(api.tags.find(({ name }) => name === tag)?.parent ?? tag);
  const schemas = api.schemas.filter(({ name }) => uses(name));
  const patterns = collectPatterns([operations, schemas]);
  const { uncheckedPatterns = [], slowPatterns = [], sentRequests: _sentRequests, ...rest } = api;
  return {
    ...rest,
    tags: api.tags.filter(({ name }) => tags.has(name)),
    operations: restrict(api.operations),
    operationsWithoutPath: restrict(api.operationsWithoutPath),
    schemas,
    resources: api.resources.filter(({ name }) => uses(name)).map((each) => withOperations(each, isIncluded)),
    stateMachines: api.stateMachines.filter(({ resource }) => uses(resource)),
    ...pickDefined("uncheckedPatterns", someOf(uncheckedPatterns, patterns)),
    ...pickDefined("slowPatterns", someOf(slowPatterns, patterns)),
  };
}

function withoutReplacement(operation: Operation, isIncluded: (name: string | undefined) => boolean): Operation {
  if (operation.deprecation === undefined || isIncluded(operation.deprecation.replacement)) return operation;
  const { replacement: _replacement, ...deprecation } = operation.deprecation;
  return { ...operation, deprecation };
}

/** The resource without operations that are left out. */
function withOperations(resource: Resource, isIncluded: (name: string | undefined) => boolean): Resource {
  const { list, read, delete: remove, ...rest } = resource;
  return {
    ...rest,
    ...pickDefined("list", isIncluded(list) ? list : undefined),
    ...pickDefined("read", isIncluded(read) ? read : undefined),
    ...pickDefined("delete", isIncluded(remove) ? remove : undefined),
  };
}

/** The names of the schemas and the resources that operations use. A resource has the name of its schema. */
function usedNames(api: Api, operations: readonly Operation[]): ReadonlySet<string> {
  const parts = new Map<string, unknown[]>();
  const addPart = (name: string, part: unknown): void => void parts.set(name, [...(parts.get(name) ?? []), part]);
  for (const each of [...api.schemas, ...api.resources]) addPart(each.name, each);
  for (const each of api.stateMachines) addPart(each.resource, each);
  const names = new Set<string>();
  const collect = (value: unknown): void =>
    visitMembers(value, (key, member) => {
      if (typeof member === "string" && nameKeys.has(key) && parts.has(member)) names.add(member);
    });
  collect([operations, api.errors, api.scopeGrammar]);
  for (const { name, variantOf } of api.schemas) if (variantOf !== undefined) addPart(name, { ref: variantOf.name });
  for (const name of names) collect(parts.get(name));
  return names;
}

/** The keys of the model whose values are names of schemas or resources. */
const nameKeys: ReadonlySet<string> = new Set(["ref", "schema", "merged", "to", "parent"]);

/** Patterns are values of `pattern`, and keys of `patternProperties`. */
function collectPatterns(value: unknown): ReadonlySet<string> {
  const patterns = new Set<string>();
  visitMembers(value, (key, member) => {
    patterns.add(key);
    if (key === "pattern" && typeof member === "string") patterns.add(member);
  });
  return patterns;
}

function someOf<T extends { readonly pattern: string }>(
  all: readonly T[],
  patterns: ReadonlySet<string>,
): readonly T[] | undefined {
  const some = all.filter(({ pattern }) => patterns.has(pattern));
  return some.length === 0 ? undefined : some;
}

/** Visits the members of all objects in a value, of shared ones once. */
function visitMembers(value: unknown, visit: (key: string, member: unknown) => void): void {
  // A set visits what is added during the visit.
  const values = new Set([value]);
  for (const each of values) {
    if (typeof each !== "object" || each === null) continue;
    for (const [key, member] of Object.entries(each) as [string, unknown][]) {
      visit(key, member);
      values.add(member);
    }
  }
}
