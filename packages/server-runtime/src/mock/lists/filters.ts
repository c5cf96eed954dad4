import { isArray, isObject, ownField, valueAt } from "../../http/index.js";
import { OperationError, type FilterField } from "../../server/index.js";
import { isEqual } from "../../validator/index.js";
import type { Values } from "../store/stored-object.js";

/** A filter as clients send it: fields with values or comparisons, `+and`, `+or`, `+order_by` and `+order`. */
export type ListFilter = Readonly<Record<string, unknown>>;

interface FilterContext {
  readonly fields: Readonly<Record<string, FilterField>>;
  /** The parameter with the filter, for errors. */
  readonly parameter: string;
}

/**
 * Whether an item matches a filter.
 *
 * @throws OperationError for a field that is not filterable
 */
export function matchesFilter(item: Values, filter: ListFilter, context: FilterContext): boolean {
  const all = Object.entries(filter).map(([name, value]) => matchesMember(item, [name, value], context));
  return all.every(Boolean);
}

/** Checks the names in a filter, so that an empty list rejects them, too. */
export function checkFilter(filter: ListFilter, context: FilterContext): void {
  matchesFilter({}, filter, context);
  const by = filter["+order_by"];
  if (typeof by === "string" && fieldOf(by, context).type === "array") throw notFilterable(by, context);
}

function matchesMember(item: Values, [name, value]: readonly [string, unknown], context: FilterContext): boolean {
  if (name === "+order_by" || name === "+order") return true;
  if (name === "+and" || name === "+or") {
    const results = (isArray(value) ? value : []).map((each) => isObject(each) && matchesFilter(item, each, context));
    return name === "+and" ? results.every(Boolean) : results.some(Boolean);
  }
  const field = fieldOf(name, context);
  const stored = valueAt(item, name.split("."));
  const tests = isObject(value) ? Object.entries(value) : [["+eq", value] as const];
  return tests.every(([operator, operand]) =>
    field.type === "array"
      ? matchesList(stored, { operator, operand, context })
      : matchesValue(stored, { operator, operand, context }),
  );
}

interface Comparison {
  readonly operator: string;
  readonly operand: unknown;
  readonly context: FilterContext;
}

/** A list matches if one of its items does. It differs from a value if none of its items equals that. */
function matchesList(stored: unknown, { operator, operand, context }: Comparison): boolean {
  const items = isArray(stored) ? stored : [];
  if (operator === "+neq") return !items.some((each) => isEqual(each, operand));
  if (operator !== "+eq" && operator !== "+contains")
    throw new OperationError("not-filterable", {
      field: context.parameter,
      reason: `A list cannot be compared with ${operator}`,
    });
  return items.some((each) => matchesValue(each, { operator, operand, context }));
}

function matchesValue(stored: unknown, { operator, operand, context }: Comparison): boolean {
  const test = tests[operator];
  if (test === undefined)
    throw new OperationError("not-filterable", {
      field: context.parameter,
      reason: `There is no operator ${operator}`,
    });
  return test(stored, operand);
}

const tests: Readonly<Record<string, (stored: unknown, operand: unknown) => boolean>> = {
  "+eq": (a, b) => isEqual(a ?? null, b) || compare(a, b) === 0,
  "+neq": (a, b) => !isEqual(a ?? null, b),
  "+gt": (a, b) => compare(a, b) > 0,
  "+gte": (a, b) => compare(a, b) >= 0,
  "+lt": (a, b) => compare(a, b) < 0,
  "+lte": (a, b) => compare(a, b) <= 0,
  "+contains": (a, b) => typeof a === "string" && typeof b === "string" && a.toLowerCase().includes(b.toLowerCase()),
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

/** Orders items by the field of a filter. Items without a value come first. */
export function orderItems(items: readonly Values[], filter: ListFilter): readonly Values[] {
  const by = filter["+order_by"];
  const sign = filter["+order"] === "desc" ? -1 : 1;
  if (typeof by !== "string") return sign === 1 ? items : items.toReversed();
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

function fieldOf(name: string, context: FilterContext): FilterField {
  const field = ownField(context.fields, name) as FilterField | undefined;
  if (field === undefined) throw notFilterable(name, context);
  return field;
}

function notFilterable(name: string, { parameter }: FilterContext): OperationError {
  return new OperationError("not-filterable", { field: parameter, reason: `Cannot filter on ${name}` });
}
