import { holds, isEqual, isList, isObject, ownField, type Check } from "@plumbline/validator-runtime";
import { rowsOf, valuesOf, type Expression } from "./expressions.js";
import type { Facts } from "./facts.js";

/** A `when` of the description, its schemas compiled; every member has to hold. */
export interface Condition {
  readonly caller?: Check;
  readonly body?: Check;
  readonly target?: Check;
  /** Of what the rule stands on. */
  readonly sent?: Check;
  /** Of every row that a field names, and of one at least. */
  readonly refs?: Readonly<Record<string, Check>>;
  /** Fields of the body, one of which has to differ from what is stored. */
  readonly changes?: readonly string[];
  readonly compare?: readonly [
    Expression,
    "eq" | "ne" | "lt" | "lte" | "in" | "notIn",
    Expression | { readonly value: unknown },
  ];
}

/** True where every member holds. What is not there fits nothing. */
export function isMet(condition: Condition, facts: Facts): boolean {
  const { caller, body, target, sent, refs, changes, compare } = condition;
  return (
    fits(caller, facts.caller) &&
    fits(body, facts.body) &&
    fits(target, facts.target) &&
    (sent === undefined || holds(sent, facts.self === undefined ? facts.body : facts.self.value)) &&
    (refs === undefined || Object.entries(refs).every(([field, check]) => fitsAll(check, rowsOf(field, facts)))) &&
    (changes === undefined || changes.some((field) => changesField(field, facts))) &&
    (compare === undefined || isComparable(compare, facts))
  );
}

/** Whether a field of the body is other than what is stored; of an object, whether a field of it that was sent is. */
export function changesField(field: string, { body, target }: Pick<Facts, "body" | "target">): boolean {
  const pointer = field.split(".");
  return differs(fieldAt(body, pointer), fieldAt(target, pointer));
}

/** Whether what was sent is other than what is stored. What was not sent stays. */
export function differs(sent: unknown, stored: unknown): boolean {
  if (sent === undefined) return false;
  if (!isObject(sent) || !isObject(stored)) return !isEqual(sent, shownOf(stored));
  return Object.keys(sent).some((key) => differs(ownField(sent, key), ownField(stored, key)));
}

/** A stored date is shown as text. */
export function shownOf(stored: unknown): unknown {
  return stored instanceof Date ? stored.toISOString() : stored;
}

function fits(check: Check | undefined, value: unknown): boolean {
  return check === undefined || (value !== undefined && holds(check, value));
}

function fitsAll(check: Check, rows: readonly unknown[]): boolean {
  return rows.length > 0 && rows.every((row) => holds(check, row));
}

function fieldAt(value: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce((before, token) => (isObject(before) ? ownField(before, token) : undefined), value);
}

/** Holds for some pair of values. */
function isComparable([left, operator, right]: NonNullable<Condition["compare"]>, facts: Facts): boolean {
  const rights = "root" in right ? valuesOf(right, facts) : [right.value];
  const compare = operators[operator];
  return valuesOf(left, facts).some((a) => rights.some((b) => compare(shownOf(a), shownOf(b))));
}

type Operator = NonNullable<Condition["compare"]>[1];

const operators = {
  eq: isEqual,
  ne: (a, b) => !isEqual(a, b),
  lt: (a, b) => orderOf(a, b) < 0,
  lte: (a, b) => orderOf(a, b) <= 0,
  in: (a, b) => isList(b) && b.some((each) => isEqual(a, each)),
  notIn: (a, b) => isList(b) && !b.some((each) => isEqual(a, each)),
} satisfies Record<Operator, (a: unknown, b: unknown) => boolean>;

/** Below, at or above 0; not a number for what has no order. */
function orderOf(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? (a < b ? -1 : a > b ? 1 : 0) : Number.NaN;
}
