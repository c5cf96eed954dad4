import { holds, isEqual, isList, isObject, ownField, type Check } from "@plumbline/validator-runtime";
import { rowsOf, valuesOf, type Expression } from "./expressions.js";
import type { Facts } from "./facts.js";

/** A compiled `when` of the description. All members have to hold. */
export interface Condition {
  readonly caller?: Check;
  readonly body?: Check;
  readonly target?: Check;
  /** Checks the value on which the rule stands. */
  readonly sent?: Check;
  /** Checks every row that a field references. At least one row has to exist. */
  readonly refs?: Readonly<Record<string, Check>>;
  /** Fields of the body, one of which has to differ from the stored value. */
  readonly changes?: readonly string[];
  readonly compare?: readonly [
    Expression,
    "eq" | "ne" | "lt" | "lte" | "in" | "notIn",
    Expression | { readonly value: unknown },
  ];
}

/** Evaluates a condition: true if every member holds. An absent value satisfies no check. */
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

/** Whether the body changes a field. An object changes if one of the fields that the client sent changes. */
export function changesField(field: string, { body, target }: Pick<Facts, "body" | "target">): boolean {
  const pointer = field.split(".");
  return differs(fieldAt(body, pointer), fieldAt(target, pointer));
}

/** Whether a sent value differs from the stored one. Fields that the client did not send stay unchanged. */
export function differs(sent: unknown, stored: unknown): boolean {
  if (sent === undefined) return false;
  if (!isObject(sent) || !isObject(stored)) return !isEqual(sent, shownOf(stored));
  return Object.keys(sent).some((key) => differs(ownField(sent, key), ownField(stored, key)));
}

/** A stored Date as its ISO 8601 text, which is how clients read it. */
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

/** True if the comparison holds for some pair of values. */
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

/** Below, at or above 0. NaN for values that have no order. */
function orderOf(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? (a < b ? -1 : a > b ? 1 : 0) : Number.NaN;
}
