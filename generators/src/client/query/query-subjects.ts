import {
  findJsonContent,
  findTarget,
  memoize,
  schemaParts,
  type Api,
  type Operation,
  type Resource,
  type Schema,
} from "@plumbline/kit/model";
import { successResponses } from "../responses.js";

/** What the query of an operation is about: the resource that it reads or lists, the one in its path, or its tag. */
export function querySubject(api: Api, operation: Operation): string {
  const { name, tag, pagination } = operation;
  const read = readingResources(api).get(name);
  if (read !== undefined) return read;
  const [body] = responseSchemas(operation);
  const [shown] = resourcesIn(api, body, pagination?.envelope.items);
  return shown ?? findTarget(api, operation)?.resource ?? tag;
}

/**
 * What queries are about whose data an operation may change: the resource in its path, those that it returns, those that its effects and
 * transitions name, what belongs to a deleted one, and those that show one of these. For an operation without resources, what the other
 * operations of its tag are about.
 */
export function changedSubjects(api: Api, operation: Operation): readonly string[] {
  const { effects, name, tag } = operation;
  const target = findTarget(api, operation)?.resource;
  const deleted = deletedResources(api).get(name);
  const resources = new Set([
    ...(target === undefined ? [] : [target]),
    ...responseSchemas(operation).flatMap((schema) => resourcesIn(api, schema)),
    ...(deletedWith(api).get(deleted ?? "") ?? []),
    ...effects.flatMap(({ to }) => (to !== undefined && namedResources(api).has(to) ? [to] : [])),
    ...(movedResources(api).get(name) ?? []),
  ]);
  const affected = new Set([...resources].flatMap((each) => [each, ...(showingResources(api).get(each) ?? [])]));
  const subjects = affected.size > 0 ? [...affected] : [...(subjectsOfTag(api).get(tag) ?? [])];
  return subjects.filter((each) => allSubjects(api).has(each)).toSorted();
}

/** True for an operation that changes nothing. */
export function isQuery({ method }: Operation): boolean {
  return method === "GET" || method === "HEAD" || method === "QUERY";
}

const namedResources = memoize(({ resources }: Api) => new Map(resources.map((each) => [each.name, each] as const)));

const readingResources = memoize(
  ({ resources }: Api) =>
    new Map(
      resources.flatMap(({ name, list, read }) =>
        [list, read].flatMap((operation) => (operation === undefined ? [] : [[operation, name] as const])),
      ),
    ),
);

const deletedResources = memoize(
  ({ resources }: Api) =>
    new Map(resources.flatMap((each) => (each.delete === undefined ? [] : [[each.delete, each.name] as const]))),
);

/** The resources that are deleted with a resource, and itself. */
const deletedWith = memoize(({ resources }: Api) => {
  const children = new Map<string, readonly Resource[]>();
  for (const each of resources)
    if (each.parent !== undefined) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  const all = (name: string, above: readonly string[]): readonly string[] => {
    const inner = (children.get(name) ?? []).filter((each) => !above.includes(each.name));
    return [name, ...inner.flatMap((each) => all(each.name, [...above, name]))];
  };
  return new Map(resources.map(({ name }) => [name, all(name, [])] as const));
});

/** The resources whose state an operation may change. */
const movedResources = memoize(({ stateMachines }: Api) => {
  const moved = new Map<string, string[]>();
  for (const { resource, initial, transitions } of stateMachines)
    for (const { event } of [...initial, ...transitions])
      if (event.kind === "operation") moved.set(event.operation, [...(moved.get(event.operation) ?? []), resource]);
  return moved;
});

/** The resources whose objects have objects of a resource in one of their fields. */
const showingResources = memoize((api: Api) => {
  const showing = new Map<string, string[]>();
  for (const { name, schema } of api.schemas) {
    if (!namedResources(api).has(name)) continue;
    const fields = schemaParts(api, schema).flatMap(({ properties = [] }) => properties);
    for (const resource of fields.flatMap((field) => resourcesIn(api, field.schema)))
      showing.set(resource, [...(showing.get(resource) ?? []), name]);
  }
  return showing;
});

const allSubjects = memoize((api: Api) => new Set([...subjectsOfTag(api).values()].flatMap((each) => [...each])));

const subjectsOfTag = memoize((api: Api) => {
  const subjects = new Map<string, Set<string>>();
  for (const each of api.operations.filter(isQuery)) {
    const tagSubjects = subjects.get(each.tag) ?? new Set();
    subjects.set(each.tag, tagSubjects.add(querySubject(api, each)));
  }
  return subjects;
});

function responseSchemas(operation: Operation): readonly Schema[] {
  return successResponses(operation).flatMap(({ contents }) => findJsonContent(contents)?.schema ?? []);
}

/** The resources that a body is, or that its items are. */
function resourcesIn(api: Api, schema: Schema | undefined, items?: string): readonly string[] {
  if (schema === undefined) return [];
  const parts = schemaParts(api, schema);
  const field = parts.flatMap(({ properties }) => properties?.find(({ name }) => name === items)?.schema ?? [])[0];
  const item = (field === undefined ? parts : schemaParts(api, field)).flatMap((part) => part.items ?? []);
  return [...parts, ...item.flatMap((each) => schemaParts(api, each))].flatMap(({ ref }) =>
    ref !== undefined && namedResources(api).has(ref) ? [ref] : [],
  );
}
