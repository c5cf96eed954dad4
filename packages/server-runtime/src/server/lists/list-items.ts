import { isArray, valueAt } from "../../http/index.js";
import { isEqual } from "../../validator/index.js";
import { encodeCursor } from "./cursors.js";
import type { CursorPosition, FilterOperator, ListCondition, ListOrder, ListPage, ListQuery } from "./list-syntax.js";

/** Returns the items that meet the condition of a query, in its order. */
export function selectItems<Item extends object>(
  items: readonly Item[],
  { where, order }: Pick<ListQuery, "where" | "order">,
): Item[] {
  const selected = where === undefined ? items : items.filter((item) => matchesCondition(item, where));
  return order === undefined ? [...selected] : orderItems(selected, order);
}

/** Whether an item meets a condition. */
export function matchesCondition(item: object, condition: ListCondition): boolean {
  if ("all" in condition) return condition.all.every((each) => matchesCondition(item, each));
  if ("any" in condition) return condition.any.some((each) => matchesCondition(item, each));
  const { field, operator, operand } = condition;
  const stored = valueAt(item, field.split("."));
  if (!isArray(stored)) return tests[operator](stored, operand);
  // A list matches if one of its items does. It differs from a value if none of its items equals that.
  if (operator === "ne") return !stored.some((each) => isEqual(each, operand));
  return stored.some((each) => tests[operator](each, operand));
}

const tests: Readonly<Record<FilterOperator | "eq", (stored: unknown, operand: unknown) => boolean>> = {
  eq: (a, b) => isEqual(a ?? null, b) || compare(a, b) === 0,
  ne: (a, b) => !isEqual(a ?? null, b),
  gt: (a, b) => compare(a, b) > 0,
  gte: (a, b) => compare(a, b) >= 0,
  lt: (a, b) => compare(a, b) < 0,
  lte: (a, b) => compare(a, b) <= 0,
  contains: (a, b) => typeof a === "string" && typeof b === "string" && a.toLowerCase().includes(b.toLowerCase()),
};

/** NaN for values without an order. Times are compared as times. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && (typeof b === "number" || isNumeric(b))) return a - Number(b);
  if (typeof a !== "string" || typeof b !== "string") return Number.NaN;
  const [left, right] = [timeOf(a), timeOf(b)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumeric(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value));
}

/** A time without a zone is in UTC. */
function timeOf(text: string): number {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN;
  return Date.parse(/[T ][\d:.]+$/.test(text) ? `${text}Z` : text);
}

/** Orders items by a field. Items without a value come first. */
export function orderItems<Item extends object>(items: readonly Item[], { by, isDescending }: ListOrder): Item[] {
  if (by === undefined) return isDescending ? items.toReversed() : [...items];
  const sign = isDescending ? -1 : 1;
  const pointer = by.split(".");
  return items
    .map((item, index) => ({ item, index, value: valueAt(item, pointer) ?? null }))
    .toSorted((a, b) => sign * orderOf(a.value, b.value) || a.index - b.index)
    .map(({ item }) => item);
}

function orderOf(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  const order = compare(a, b);
  return Number.isNaN(order) ? 0 : order;
}

/** A page of a list, and the cursor of the next one. The last page has none. */
export interface CursorPage<Item> {
  readonly items: Item[];
  readonly next: string | undefined;
}

/**
 * Returns the page that a request selects by a cursor. It stays where it is while items are added or deleted.
 *
 * @param items all items, in the order of the query; those with equal values by ascending keys
 */
export function cursorPage<Item extends object>(
  items: readonly Item[],
  { order, page: { after, size = items.length } }: { readonly order?: ListOrder | undefined; readonly page: ListPage },
  keyOf: (item: Item) => string | number,
): CursorPage<Item> {
  const positionOf = (item: Item): CursorPosition => ({
    value: order?.by === undefined ? null : (valueAt(item, order.by.split(".")) ?? null),
    key: keyOf(item),
  });
  const rest = after === undefined ? items : items.filter((item) => isAfter(positionOf(item), after, order));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return {
    items: page,
    next: last === undefined || page.length === rest.length ? undefined : encodeCursor(positionOf(last)),
  };
}

function isAfter(position: CursorPosition, start: CursorPosition, order: ListOrder | undefined): boolean {
  const sign = order?.isDescending === true ? -1 : 1;
  const difference = orderOf(position.value, start.value);
  if (difference !== 0) return sign * difference > 0;
  const isLater = position.key > start.key;
  return order?.by === undefined && sign < 0 ? position.key < start.key : isLater;
}
