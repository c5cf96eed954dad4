import { isArray, valueAt } from "../../http/index.js";
import type { FilterField, FilterOperator, ListCondition, ListOrder } from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import type { Values } from "../store/stored-object.js";

type FilterFields = Readonly<Record<string, FilterField>>;

/** Whether an item meets a condition. */
export function matchesCondition(item: Values, condition: ListCondition, fields: FilterFields): boolean {
  if ("all" in condition) return condition.all.every((each) => matchesCondition(item, each, fields));
  if ("any" in condition) return condition.any.some((each) => matchesCondition(item, each, fields));
  const { field, operator, operand } = condition;
  const stored = valueAt(item, field.split("."));
  if (fields[field]?.type !== "array") return tests[operator](stored, operand);
  // A list matches if one of its items does. It differs from a value if none of its items equals that.
  const items = isArray(stored) ? stored : [];
  if (operator === "ne") return !items.some((each) => isEqual(each, operand));
  return items.some((each) => tests[operator](each, operand));
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
export function orderItems(items: readonly Values[], { by, isDescending }: ListOrder): readonly Values[] {
  if (by === undefined) return isDescending ? items.toReversed() : items;
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
