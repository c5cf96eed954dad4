import { isArray, isObject, isValid, ownField, type InputGroups } from "@plumbline/http-runtime";
import type { ListScope } from "@plumbline/server-runtime";
import { isEqual } from "@plumbline/validator-runtime";
import { isOwnedBy, ownerOf } from "../access/owners.js";
import { targetObject, type MockRequest } from "../behavior/evaluation.js";
import { isVisible, viewOf } from "../behavior/objects.js";
import { valueAt } from "../behavior/values.js";
import { isSameIdentifier, resourceOf } from "../mock-context.js";
import type { MockList } from "../mock-definition.js";
import type { StoredObject, Values } from "../store/stored-object.js";
import { checkFilter, matchesFilter, orderItems, type ListFilter } from "./filters.js";

/** An item of a list, with its resource. */
export interface ListItem {
  readonly resource: string;
  readonly values: Values;
}

/** The items of one page, and how many there are on all pages. */
export interface PageOfItems<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Lists the objects that the caller may see, that belong to the object of the path, and that match the filters. */
export function listObjects(request: MockRequest, list: MockList): PageOfItems<ListItem> {
  const filter = sentFilter(request, list);
  const context = { fields: list.filterFields, parameter: list.filter?.name ?? "" };
  if (filter !== undefined) checkFilter(filter, context);
  const views = list.resources.flatMap((resource) =>
    [...request.mock.store.all(resource)]
      .filter((object) => isListed(request, list, object))
      .map((object) => ({ resource, values: viewOf(request.mock, object) })),
  );
  const matching = views.filter(
    ({ values }) =>
      (filter === undefined || matchesFilter(values, filter, context)) && matchesQuery(request.input, list, values),
  );
  const resources = new Map(matching.map(({ resource, values }) => [values, resource] as const));
  const ordered = orderItems(
    matching.map(({ values }) => values),
    filter ?? {},
  ).map((values) => ({ resource: resources.get(values) ?? "", values }));
  return pageOf(request.input, list, ordered);
}

function isListed(request: MockRequest, list: MockList, object: StoredObject): boolean {
  const { mock, input } = request;
  if (!isVisible(mock, object)) return false;
  const definition = resourceOf(mock, object.resource);
  const isPublic = definition.public !== undefined && isValid(definition.public, viewOf(mock, object));
  const scope = input["listScope"] as ListScope | undefined;
  if (!isInScope(request, object, { scope, isPublic })) return false;
  const target = targetObject(request);
  if (target === undefined) return true;
  if (definition.parent === target.resource) return object.parent === target.key;
  const referring = ownField(list.referring, object.resource) as MockList["referring"][string] | undefined;
  if (referring === undefined) return true;
  const found = valueAt(object.values, referring.pointer);
  const value = ownField(target.values, referring.by);
  return isArray(found) ? found.some((each) => isEqual(each, value)) : isEqual(found, value);
}

function isInScope(
  { mock, caller }: MockRequest,
  object: StoredObject,
  { scope, isPublic }: { readonly scope: ListScope | undefined; readonly isPublic: boolean },
): boolean {
  const definition = resourceOf(mock, object.resource);
  if (scope === undefined) return isOwnedBy(object, ownerOf(definition, caller));
  if (isPublic && scope.includePublic) return true;
  // Anonymous callers have no owner: they see public objects only.
  if (scope.owner === undefined)
    return definition.public === undefined && !definition.owner.some((each) => each !== "platform");
  const isOwn = isOwnedBy(object, scope.owner);
  const identifier = ownField(object.values, definition.identifier.field);
  return isOwn && (scope.ids === undefined || scope.ids.some((id) => isSameIdentifier(id, identifier)));
}

function sentFilter({ input }: MockRequest, { filter }: MockList): ListFilter | undefined {
  if (filter === undefined) return undefined;
  const group = input[filter.in];
  const value = isObject(group) ? ownField(group, filter.name) : undefined;
  return isObject(value) ? value : undefined;
}

/** Query parameters with the name of a field select the items with that value. */
function matchesQuery({ query }: InputGroups, { queryFields }: MockList, values: Values): boolean {
  if (!isObject(query)) return true;
  return queryFields.every((field) => {
    const wanted = ownField(query, field);
    if (wanted === undefined) return true;
    const found = ownField(values, field);
    const accepted = isArray(wanted) ? wanted : [wanted];
    const stored = isArray(found) ? found : [found];
    return stored.some((each) => accepted.some((value) => isEqual(each, value)));
  });
}

/** The page of items that the query selects. */
export function pageOf<Item>({ query }: InputGroups, list: MockList, items: readonly Item[]): PageOfItems<Item> {
  const numberAt = (name: string | undefined): number | undefined => {
    const value = name !== undefined && isObject(query) ? ownField(query, name) : undefined;
    return typeof value === "number" && value >= 0 ? value : undefined;
  };
  const total = items.length;
  const size = numberAt(list.size) ?? (list.page === undefined && list.size === undefined ? total : list.defaultSize);
  const page = numberAt(list.page) ?? 1;
  const start = numberAt(list.offset) ?? (Math.max(page, 1) - 1) * size;
  return {
    items: items.slice(start, start + size),
    total,
    page,
    pages: Math.max(1, Math.ceil(total / Math.max(1, size))),
  };
}
