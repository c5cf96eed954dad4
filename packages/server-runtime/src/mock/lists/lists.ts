import { isArray, isObject, isValid, ownField, valueAt, type InputGroups } from "../../http/index.js";
import {
  cursorPage,
  matchesCondition,
  orderItems,
  readListQuery,
  type ListQuery,
  type ListScope,
} from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import { isSameIdentifier, resourceOf } from "../mock-context.js";
import type { MockList } from "../mock-definition.js";
import { targetObject, type MockRequest } from "../objects/evaluation.js";
import { isVisible, viewOf } from "../objects/objects.js";
import { isOwnedBy, ownerOf } from "../objects/owners.js";
import type { StoredObject, Values } from "../store/stored-object.js";

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
  /** The cursor of the next page. Absent: this is the last one, or the list has numbers. */
  readonly next?: string | undefined;
}

/** Lists the objects that the caller may see, that belong to the object of the path, and that match the filters. */
export function listObjects(request: MockRequest, list: MockList): PageOfItems<ListItem> {
  const { mock, input } = request;
  const query = readListQuery(input, { ...list, ...list.cursor });
  const { where, order } = query;
  const isSelected = (values: Values): boolean =>
    (where === undefined || matchesCondition(values, where)) && matchesQuery(input, list, values);
  const selects = where !== undefined || hasQueryFields(input, list);
  // Without an order, a page needs no later objects, unless the response has their number.
  const { envelope, cursor } = list;
  const isCounted =
    cursor !== undefined || order !== undefined || envelope?.total !== undefined || envelope?.pages !== undefined;
  const end = isCounted ? Infinity : endOfPage(input, list);
  const objects: StoredObject[] = [];
  for (const resource of list.resources) {
    const isListed = listedTest(request, list, resource);
    for (const object of mock.store.all(resource)) {
      if (objects.length >= end) break;
      if (isListed(object) && (!selects || isSelected(viewOf(mock, object)))) objects.push(object);
    }
  }
  if (cursor !== undefined || order !== undefined) return orderedPage(request, list, { objects, query });
  const page = pageOf(input, list, objects);
  return { ...page, items: page.items.map((object) => ({ resource: object.resource, values: viewOf(mock, object) })) };
}

function orderedPage(
  { mock, input }: MockRequest,
  list: MockList,
  { objects, query }: { readonly objects: readonly StoredObject[]; readonly query: ListQuery },
): PageOfItems<ListItem> {
  const { cursor, defaultSize } = list;
  const sorted = cursor !== undefined ? objects.toSorted((a, b) => a.key - b.key) : objects;
  const byView = new Map(sorted.map((object) => [viewOf(mock, object), object] as const));
  const views = query.order === undefined ? [...byView.keys()] : orderItems([...byView.keys()], query.order);
  const itemOf = (view: Values): ListItem => ({ resource: byView.get(view)?.resource ?? "", values: view });
  const numbered = pageOf(input, list, views);
  if (cursor === undefined) return { ...numbered, items: numbered.items.map(itemOf) };
  const page = { ...query.page, size: query.page.size ?? defaultSize };
  const { items, next } = cursorPage(views, { order: query.order, page }, (view) => byView.get(view)?.key ?? 0);
  return { ...numbered, items: items.map(itemOf), next };
}

/** Returns a predicate of the objects of a resource that are part of the list. What all objects have in common is computed once. */
function listedTest(request: MockRequest, list: MockList, resource: string): (object: StoredObject) => boolean {
  const { mock, input } = request;
  const definition = resourceOf(mock, resource);
  const scope = input["listScope"] as ListScope | undefined;
  const target = targetObject(request);
  const referring = ownField(list.referring, resource) as MockList["referring"][string] | undefined;
  const value = target === undefined || referring === undefined ? undefined : ownField(target.values, referring.by);
  return (object) => {
    if (!isVisible(mock, object)) return false;
    const isPublic = definition.public !== undefined && isValid(definition.public, viewOf(mock, object));
    if (!isInScope(request, object, { scope, isPublic })) return false;
    if (target === undefined) return true;
    if (definition.parent === target.resource) return object.parent === target.key;
    if (referring === undefined) return true;
    const reference = valueAt(object.values, referring.pointer);
    return isArray(reference) ? reference.some((each) => isEqual(each, value)) : isEqual(reference, value);
  };
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

function hasQueryFields({ query }: InputGroups, { queryFields }: MockList): boolean {
  return isObject(query) && queryFields.some((field) => ownField(query, field) !== undefined);
}

/** Query parameters with the name of a field select the items with that value. */
function matchesQuery({ query }: InputGroups, { queryFields }: MockList, values: Values): boolean {
  if (!isObject(query)) return true;
  return queryFields.every((field) => {
    const parameter = ownField(query, field);
    if (parameter === undefined) return true;
    const fieldValue = ownField(values, field);
    const accepted = isArray(parameter) ? parameter : [parameter];
    const stored = isArray(fieldValue) ? fieldValue : [fieldValue];
    return stored.some((each) => accepted.some((value) => isEqual(each, value)));
  });
}

/** The page of items that the query selects. */
export function pageOf<Item>(input: InputGroups, list: MockList, items: readonly Item[]): PageOfItems<Item> {
  const total = items.length;
  const { page, size = total, start = (Math.max(page, 1) - 1) * size } = boundsOf(input, list);
  return {
    items: items.slice(start, start + size),
    total,
    page,
    pages: Math.max(1, Math.ceil(total / Math.max(1, size))),
  };
}

/** The number of items up to the end of a page. */
function endOfPage(input: InputGroups, list: MockList): number {
  const { page, size = Infinity, start = (Math.max(page, 1) - 1) * size } = boundsOf(input, list);
  return size === Infinity ? Infinity : start + size;
}

interface PageBounds {
  readonly page: number;
  /** Absent: all items. */
  readonly size: number | undefined;
  /** Absent: that of the page. */
  readonly start: number | undefined;
}

function boundsOf({ query }: InputGroups, list: MockList): PageBounds {
  const numberAt = (name: string | undefined): number | undefined => {
    const value = name !== undefined && isObject(query) ? ownField(query, name) : undefined;
    return typeof value === "number" && value >= 0 ? value : undefined;
  };
  const isPaged = list.page !== undefined || list.size !== undefined;
  const size = numberAt(list.size) ?? (isPaged ? list.defaultSize : undefined);
  return { page: numberAt(list.page) ?? 1, size, start: numberAt(list.offset) };
}
